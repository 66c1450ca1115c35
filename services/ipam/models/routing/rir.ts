import { boolean, count, model, primary, primaryFields, slug, text } from '@cadastre/model';

/** Who assigns addresses and AS numbers: a regional registry, or a standard such as RFC 1918. */
export const rir = model('ipam.rir', {
  path: 'rirs',
  label: 'RIR',
  ordering: ['name'],
  features: primary,
  brief: ['name', 'slug', 'description', 'aggregate_count'],
  search: ['name', 'slug', 'description'],
  fields: {
    name: text({ max: 100, unique: true, natural: true }),
    slug: slug({ unique: true }),
    is_private: boolean(),
    ...primaryFields(),
    aggregate_count: count('ipam.aggregate', 'rir'),
  },
});
