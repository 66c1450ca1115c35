import {
  choice,
  hostOf,
  integer,
  ipAddress,
  model,
  objects,
  primary,
  primaryFields,
  referrers,
  text,
  withMask,
} from '@cadastre/model';
import { fhrpAuthentication, fhrpProtocol } from '../choices.ts';

const protocolLabel = new Map(fhrpProtocol.map(({ value, label }) => [value, label]));

/** Routers that share an address, so that one takes over when another fails. */
export const fhrpGroup = model('ipam.fhrpgroup', {
  path: 'fhrp-groups',
  pages: {
    columns: ['protocol', 'group_id', 'auth_type', 'ip_addresses', 'description'],
    groups: { Authentication: ['auth_type', 'auth_key'] },
  },
  label: 'FHRP group',
  ordering: ['protocol', 'group_id'],
  features: primary,
  brief: ['protocol', 'group_id', 'description'],
  search: ['description', 'group_id', 'name'],
  display: {
    columns: ['name', 'protocol', 'group_id', 'first_address'],
    text: ([name, protocol, group, first]) =>
      `${name ? `${name} ` : ''}${protocolLabel.get(protocol!) ?? protocol}: ${group}${first ? ` (${withMask(first)})` : ''}`,
  },
  fields: {
    name: text({ max: 100, optional: true }),
    protocol: choice(fhrpProtocol, { plain: true }),
    group_id: integer({ min: 0, max: 32_767, size: 'smallint' }),
    auth_type: choice(fhrpAuthentication, { plain: true, optional: true, nullable: true }),
    auth_key: text({ max: 255, optional: true }),
    ...primaryFields(),
    ip_addresses: referrers('ipam.ipaddress', 'assigned_object'),
    first_address: ipAddress({ optional: true, readOnly: true, hidden: true, index: false }),
  },
  filters: {
    related_ip: objects('ipam.ipaddress', { many: true }, ({ table, tableOf }, ids) => {
      const addresses = tableOf('ipam.ipaddress');
      return `exists (select 1 from ${addresses} given join ${addresses} own on own.assigned_object_type = 'ipam.fhrpgroup' and own.assigned_object_id = ${table}.id
        and own.vrf_id is not distinct from given.vrf_id and ${hostOf('own', 'address')} <<= network(given.address) where given.id = any(${ids}))`;
    }),
  },
});
