import {
  choice,
  column,
  type Filter,
  type FilterSql,
  generic,
  integer,
  method,
  model,
  objectType,
  path,
  primaryFields,
  refs,
  text,
  withContacts,
} from '@cadastre/model';
import { serviceProtocol } from '../choices.ts';
import { listening, listensSomewhere, ports } from './ports.ts';

/** Filters by parents of one type. A value that names none matches nothing. */
function parentFilters(name: string, type: string): Record<string, Filter> {
  const isOne = (ids: (sql: FilterSql, values: string[]) => string) => (sql: FilterSql, values: string[]) =>
    `(${sql.table}.parent_object_type = '${type}' and ${sql.table}.parent_object_id = any(${ids(sql, values)}))`;
  return {
    [name]: method(
      'text',
      isOne(
        ({ bind, tableOf }, values) =>
          `array(select p.id from ${tableOf(type)} p where p.name = any(${bind(values)}::text[]))`,
      ),
      true,
    ),
    [`${name}_id`]: method(
      'number',
      isOne(({ bind }, values) => `${bind(values)}::bigint[]`),
      true,
    ),
  };
}

/** Something that a host offers to others. */
export const service = model('ipam.service', {
  path: 'services',
  pages: {
    columns: ['parent', 'protocol', 'ports', 'ipaddresses', 'description'],
    groups: {
      Parent: ['parent_object_type', 'parent_object_id', 'parent'],
      Addresses: ['protocol', 'ports', 'ipaddresses'],
    },
  },
  label: 'application service',
  className: 'Service',
  ordering: ['protocol', 'ports_lowest', 'id'],
  features: withContacts,
  brief: ['name', 'protocol', 'ports', 'description'],
  search: ['name', 'description'],
  display: listening,
  fields: {
    parent_object_type: objectType(),
    parent_object_id: integer({ min: 0, size: 'bigint' }),
    parent: generic('parent_object_type', 'parent_object_id', {
      to: ['dcim.device', 'virtualization.virtualmachine', 'ipam.fhrpgroup'],
      onDelete: 'cascade',
    }),
    name: text({ max: 100 }),
    protocol: choice(serviceProtocol, { optional: true, one: true }),
    ...ports(),
    ipaddresses: refs('ipam.ipaddress'),
    ...primaryFields(),
  },
  filters: {
    ...parentFilters('device', 'dcim.device'),
    ...parentFilters('virtual_machine', 'virtualization.virtualmachine'),
    ...parentFilters('fhrpgroup', 'ipam.fhrpgroup'),
    ip_address_id: path('ipaddresses'),
    ip_address: path('ipaddresses', 'address'),
    port: column('ports', 'numbers'),
  },
  rules: [listensSomewhere],
});
