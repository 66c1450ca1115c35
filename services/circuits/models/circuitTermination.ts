import {
  choice,
  choices,
  customFields,
  description,
  type Feature,
  generic,
  integer,
  model,
  objectType,
  path,
  placeFilters,
  placeTypes,
  reachedPlaces,
  ref,
  resets,
  tags,
  text,
  timestamps,
} from '@cadastre/model';
import { cabled, cabledFilters, notMarkedWhenCabled } from '../../dcim/models/cables/cabled.ts';
import { followCables } from './circuitCables.ts';
import { keepEnds } from './circuitEnds.ts';
import { hasPlace } from './circuitTerminationRules.ts';

const features: Feature[] = [
  'tags',
  'customFields',
  'changeLogging',
  'eventRules',
  'exportTemplates',
  'customLinks',
  'timestamps',
];
const NETWORK = 'circuits.providernetwork';
const speed = () => integer({ optional: true, min: 0, max: 2_147_483_647 });

/** One end of a circuit. */
export const circuitTermination = model('circuits.circuittermination', {
  path: 'circuit-terminations',
  pages: {
    columns: ['circuit', 'term_side', 'termination', 'port_speed', 'upstream_speed', 'cable', 'description'],
    groups: {
      Endpoint: ['termination_type', 'termination_id', 'termination'],
      Service: ['port_speed', 'upstream_speed'],
      'Cross-connect': ['xconnect_id', 'pp_info'],
    },
  },
  label: 'circuit termination',
  belongsTo: 'circuit',
  ordering: ['circuit', 'term_side'],
  features,
  brief: ['circuit', 'term_side', 'description', 'cable', '_occupied'],
  nested: [
    'termination_type',
    'termination_id',
    'termination',
    'port_speed',
    'upstream_speed',
    'xconnect_id',
    'description',
  ],
  search: ['circuit.cid', 'xconnect_id', 'pp_info', 'description'],
  display: {
    columns: ['term_side'],
    related: ['circuit'],
    text: ([side], [circuit]) => `${circuit}: Termination ${side}`,
  },
  fields: {
    circuit: ref('circuits.circuit', { onDelete: 'cascade', backwards: 'terminations' }),
    term_side: choice(
      choices([
        ['A', 'A'],
        ['Z', 'Z'],
      ]),
      { plain: true, max: 1, one: true },
    ),
    termination_type: resets(objectType({ optional: true })),
    termination_id: resets(integer({ size: 'bigint', optional: true, min: 0 })),
    termination: generic('termination_type', 'termination_id', {
      to: [...placeTypes, NETWORK],
      onDelete: { ...Object.fromEntries(placeTypes.map((type) => [type, 'cascade' as const])), [NETWORK]: 'protect' },
    }),
    ...reachedPlaces('termination'),
    port_speed: speed(),
    upstream_speed: speed(),
    xconnect_id: text({ max: 50, optional: true }),
    pp_info: text({ max: 100, optional: true }),
    ...description(),
    ...cabled('circuits.circuittermination'),
    tags: tags(),
    custom_fields: customFields(),
    ...timestamps(),
  },
  filters: {
    ...cabledFilters(),
    ...placeFilters('termination'),
    provider_network_id: path(`termination:${NETWORK}`),
    provider_id: path('circuit.provider'),
    provider: path('circuit.provider', 'slug'),
  },
  unique: [
    {
      fields: ['circuit', 'term_side'],
      message: 'Circuit termination with this Circuit and Termination side already exists.',
    },
  ],
  rules: [hasPlace, notMarkedWhenCabled],
  effects: [keepEnds],
  reads: {
    'dcim.cabletermination': ['cable', 'cable_end', 'termination_type', 'termination_id', 'connector', 'positions'],
  },
  follows: { 'dcim.cabletermination': followCables },
});
