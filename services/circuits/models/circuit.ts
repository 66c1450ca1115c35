import {
  choice,
  comments,
  date,
  decimal,
  description,
  integer,
  labels,
  model,
  owner,
  path,
  placeFilters,
  ref,
  tenantGroupFilters,
  text,
  timestamps,
  withContacts,
} from '@cadastre/model';
import { accountOf, assignments } from './circuitRules.ts';
import { distanceUnits, measuresDistance } from './distance.ts';
import { circuitStatus } from './status.ts';

const terminations = '<circuits.circuittermination.circuit';
const end = () =>
  ref('circuits.circuittermination', { optional: true, readOnly: true, onDelete: 'setNull', form: 'nested' });
/** Filters by the places of the terminations; locations can be filtered by id only. */
const { location: _, ...places } = placeFilters('termination', terminations);

/** A line of a provider between two ends. */
export const circuit = model('circuits.circuit', {
  path: 'circuits',
  pages: {
    columns: ['provider', 'type', 'status', 'tenant', 'termination_a', 'termination_z', 'commit_rate'],
    groups: {
      Service: ['install_date', 'termination_date', 'commit_rate', 'distance', 'distance_unit'],
      Endpoints: ['termination_a', 'termination_z'],
    },
  },
  label: 'circuit',
  prominent: { key: 'c' },
  ordering: ['provider', 'provider_account', 'cid'],
  features: [...withContacts, 'imageAttachments'],
  brief: ['cid', 'provider', 'description'],
  search: [
    'cid',
    `${terminations}/xconnect_id`,
    `${terminations}/pp_info`,
    `${terminations}/description`,
    'description',
    'comments',
  ],
  fields: {
    cid: text({ max: 100 }),
    provider: ref('circuits.provider'),
    provider_account: ref('circuits.provideraccount', { optional: true }),
    type: ref('circuits.circuittype'),
    status: choice(circuitStatus, { default: 'active' }),
    tenant: ref('tenancy.tenant', { optional: true }),
    install_date: date({ optional: true }),
    termination_date: date({ optional: true }),
    commit_rate: integer({ optional: true, min: 0, max: 2_147_483_647 }),
    ...description(),
    distance: decimal({ digits: 8, places: 2, optional: true }),
    distance_unit: choice(distanceUnits, { optional: true, nullable: true, one: true }),
    // Both follow from the terminations: see `circuitTerminationEffects.ts`.
    termination_a: end(),
    termination_z: end(),
    ...owner(),
    ...comments(),
    ...labels(),
    ...timestamps(),
    assignments: assignments(),
    _abs_distance: {
      ...decimal({ digits: 13, places: 4, optional: true, filter: false, readOnly: true }),
      hidden: true,
    },
  },
  filters: {
    ...tenantGroupFilters(),
    provider_network_id: path(`${terminations}/termination:circuits.providernetwork`),
    ...places,
  },
  unique: [
    { fields: ['provider', 'cid'], message: 'Circuit with this Provider and Circuit ID already exists.' },
    {
      fields: ['provider_account', 'cid'],
      where: 'provider_account_id is not null',
      message: 'Circuit with this Provider account and Circuit ID already exists.',
    },
  ],
  rules: [
    accountOf(({ provider }) => provider, 'The assigned account must belong to the assigned provider.'),
    measuresDistance,
  ],
});
