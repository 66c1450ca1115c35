import { count, model, primaryFields, slug, text, withContacts } from '@cadastre/model';

/** Clusters that belong together: of a customer, of an environment. */
export const clusterGroup = model('virtualization.clustergroup', {
  path: 'cluster-groups',
  label: 'cluster group',
  ordering: ['name'],
  features: withContacts,
  brief: ['name', 'slug', 'description', 'cluster_count'],
  search: ['name', 'slug', 'description'],
  fields: {
    name: text({ max: 100, unique: true, natural: true }),
    slug: slug({ unique: true }),
    ...primaryFields(),
    cluster_count: count('virtualization.cluster', 'group'),
  },
});
