import {
  choice, choices, customFields, description, type Feature, generic, integer, model, objectType, path, reached, ref, tags, text, timestamps,
} from '@cadastre/model';
import { hasPlace } from './circuitTerminationRules.ts';
import { keepEnds } from './circuitEnds.ts';
import { cabled } from './cabled.ts';
import { placeFilters, places } from './places.ts';

const features: Feature[] = ['tags', 'customFields', 'changeLogging', 'eventRules', 'exportTemplates', 'customLinks', 'timestamps'];
const speed = () => integer({ optional: true, min: 0, max: 2_147_483_647 });

/** One end of a circuit. */
export const circuitTermination = model('circuits.circuittermination', {
  path: 'circuit-terminations', label: 'circuit termination', ordering: ['circuit', 'term_side'], features,
  brief: ['circuit', 'term_side', 'description'],
  nested: ['termination_type', 'termination_id', 'termination', 'port_speed', 'upstream_speed', 'xconnect_id', 'description'],
  search: ['circuit.cid', 'xconnect_id', 'pp_info', 'description'],
  fields: {
    circuit: ref('circuits.circuit', { onDelete: 'cascade' }),
    term_side: choice(choices([['A', 'A'], ['Z', 'Z']]), { plain: true, max: 1 }),
    termination_type: objectType({ optional: true }),
    termination_id: integer({ size: 'bigint', optional: true, min: 0 }),
    termination: generic('termination_type', 'termination_id', { to: places, onDelete: 'cascade' }),
    _site: reached('dcim.site', 'termination:dcim.site', 'termination:dcim.location/site'),
    port_speed: speed(),
    upstream_speed: speed(),
    xconnect_id: text({ max: 50, optional: true }),
    pp_info: text({ max: 100, optional: true }),
    ...description(),
    ...cabled(),
    tags: tags(),
    custom_fields: customFields(),
    ...timestamps(),
  },
  filters: {
    ...placeFilters(), provider_network_id: path('termination:circuits.providernetwork'),
    provider_id: path('circuit.provider'), provider: path('circuit.provider', 'slug'),
  },
  unique: [{ fields: ['circuit', 'term_side'], message: 'Circuit termination with this Circuit and Termination side already exists.' }],
  rules: [hasPlace],
  effects: [keepEnds],
});
