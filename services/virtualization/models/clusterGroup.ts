import { comments, count, description, labels, model, owner, slug, text, timestamps, withContacts } from '@cadastre/model';

/** Clusters that belong together: of a customer, of an environment. */
export const clusterGroup = model('virtualization.clustergroup', {
  path: 'cluster-groups', label: 'cluster group', ordering: ['name'], features: withContacts, brief: ['name', 'slug', 'description', 'cluster_count'],
  search: ['name', 'slug', 'description'],
  fields: {
    name: text({ max: 100, unique: true, natural: true }),
    slug: slug({ unique: true }),
    ...description(),
    ...owner(),
    ...comments(),
    ...labels(),
    ...timestamps(),
    cluster_count: count('virtualization.cluster', 'group'),
  },
});
