import { count, model, primary, primaryFields, slug, text } from '@cadastre/model';

/** The technology of a cluster: a hypervisor, a container platform. */
export const clusterType = model('virtualization.clustertype', {
  path: 'cluster-types',
  label: 'cluster type',
  ordering: ['name'],
  features: primary,
  brief: ['name', 'slug', 'description', 'cluster_count'],
  search: ['name', 'slug', 'description'],
  fields: {
    name: text({ max: 100, unique: true, natural: true }),
    slug: slug({ unique: true }),
    ...primaryFields(),
    cluster_count: count('virtualization.cluster', 'type'),
  },
});
