import type { DocumentPart, DocumentRow, Documents } from '@cadastre/model';

/** The rear ports that a front port is mapped to. */
const MAPPING: Omit<DocumentRow, 'members'> = {
  list: 'rear_ports',
  otherwise: { position: 1, rear_port_position: 1 },
  names: { rear_port: 'rear-ports' },
};
const REAR = { rear_port: 'rear_port', rear_port_position: 'rear_port_position' } as const;

/**
 * The names of parts in the public library of device types, and their types here; parts that others refer to come
 * first.
 */
const PARTS: Readonly<Record<string, Omit<DocumentPart, 'by'>>> = {
  'console-ports': { type: 'dcim.consoleporttemplate' },
  'console-server-ports': { type: 'dcim.consoleserverporttemplate' },
  'power-ports': { type: 'dcim.powerporttemplate' },
  'power-outlets': { type: 'dcim.poweroutlettemplate', names: { power_port: 'power-ports' } },
  interfaces: { type: 'dcim.interfacetemplate', names: { bridge: 'interfaces' } },
  'rear-ports': { type: 'dcim.rearporttemplate' },
  // Until version 4.5 of the reference, a front port led to one rear port.
  'front-ports': { type: 'dcim.frontporttemplate', row: { ...MAPPING, members: REAR } },
  'module-bays': { type: 'dcim.modulebaytemplate' },
  'device-bays': { type: 'dcim.devicebaytemplate' },
  'inventory-items': {
    type: 'dcim.inventoryitemtemplate',
    names: { parent: 'inventory-items' },
    component: { name: 'component_name', type: 'component_type', id: 'component_id' },
  },
};

/** Parts that only devices have. */
const OF_DEVICES = ['device-bays', 'inventory-items'];

/** Device types or module types as documents of the library; `by` is the field of their parts that refers to them. */
export const asInLibrary = (by: 'device_type' | 'module_type'): Documents => ({
  file: ['manufacturer', by === 'device_type' ? 'slug' : 'model'],
  parts: Object.fromEntries(
    Object.entries(PARTS)
      .filter(([member]) => by === 'device_type' || !OF_DEVICES.includes(member))
      .map(([member, part]): [string, DocumentPart] => [member, { ...part, by }]),
  ),
  joined: {
    'port-mappings': {
      ...MAPPING,
      into: 'front-ports',
      by: 'front_port',
      members: { position: 'front_port_position', ...REAR },
    },
  },
  ...(by === 'device_type' ? { pictures: { by: 'slug', fields: { front_image: 'front', rear_image: 'rear' } } } : {}),
  also: by === 'module_type' ? { attribute_data: 'attributes' } : {},
  ignored: ['is_powered'],
});
