import {
  comments,
  count,
  description,
  labels,
  model,
  owner,
  placeFilters,
  referrers,
  refs,
  slug,
  text,
  timestamps,
  withContacts,
} from '@cadastre/model';

const {
  location: _,
  location_id: __,
  ...places
} = placeFilters('termination', '<circuits.circuit.provider/<circuits.circuittermination.circuit');

/** Who runs circuits: a carrier, a cloud. */
export const provider = model('circuits.provider', {
  path: 'providers',
  label: 'provider',
  ordering: ['name'],
  features: withContacts,
  brief: ['name', 'slug', 'description', 'circuit_count'],
  search: ['name', 'description', 'comments'],
  fields: {
    name: text({ max: 100, unique: true, natural: true }),
    slug: slug({ unique: true }),
    accounts: referrers('circuits.provideraccount', 'provider', { form: 'nested', writable: true }),
    ...description(),
    ...owner(),
    ...comments(),
    asns: refs('ipam.asn'),
    ...labels(),
    ...timestamps(),
    circuit_count: count('circuits.circuit', 'provider'),
  },
  filters: places,
});
