import { model, primary, primaryFields, ref, text } from '@cadastre/model';

/** A network of a provider, of which no more is known than that circuits end in it. */
export const providerNetwork = model('circuits.providernetwork', {
  path: 'provider-networks',
  label: 'provider network',
  ordering: ['provider', 'name'],
  features: primary,
  brief: ['name', 'description'],
  search: ['name', 'service_id', 'description', 'comments'],
  fields: {
    provider: ref('circuits.provider'),
    name: text({ max: 100 }),
    service_id: text({ max: 100, optional: true }),
    ...primaryFields(),
  },
  unique: [{ fields: ['provider', 'name'] }],
});
