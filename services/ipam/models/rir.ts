import { boolean, comments, count, description, labels, model, owner, primary, slug, text, timestamps } from '@cadastre/model';

/** Who assigns addresses and AS numbers: a regional registry, or a standard such as RFC 1918. */
export const rir = model('ipam.rir', {
  path: 'rirs', label: 'RIR', ordering: ['name'], features: primary, brief: ['name', 'slug', 'description', 'aggregate_count'], search: ['name', 'slug', 'description'],
  fields: {
    name: text({ max: 100, unique: true, natural: true }),
    slug: slug({ unique: true }),
    is_private: boolean(),
    ...description(),
    ...owner(),
    ...comments(),
    ...labels(),
    ...timestamps(),
    aggregate_count: count('ipam.aggregate', 'rir'),
  },
});
