import type { ActionHandler } from '@cadastre/rest';
import type { ModelService } from '@cadastre/service/models';
import { addressesOfPrefix, addressesOfRange } from './availableAddresses.ts';
import { asnsOfRange, vlansOfGroup } from './availableNumbers.ts';
import { prefixesOfPrefix } from './availablePrefixes.ts';
import { handing } from './handler.ts';

/** What this service does besides reading and writing objects. */
export const actions = ({ engine }: Pick<ModelService, 'engine'>): Record<string, ActionHandler> => ({
  'ipam/prefixes/*/available-prefixes': handing(engine, prefixesOfPrefix),
  'ipam/prefixes/*/available-ips': handing(engine, addressesOfPrefix),
  'ipam/ip-ranges/*/available-ips': handing(engine, addressesOfRange),
  'ipam/vlan-groups/*/available-vlans': handing(engine, vlansOfGroup),
  'ipam/asn-ranges/*/available-asns': handing(engine, asnsOfRange),
});
