import type { FormWords, ImportedPart } from '@cadastre/model';

/** What the files of the public library of device types call parts, and what they are here. */
const KINDS: Readonly<Record<string, string>> = {
  'console-ports': 'dcim.consoleporttemplate',
  'console-server-ports': 'dcim.consoleserverporttemplate',
  'power-ports': 'dcim.powerporttemplate',
  'power-outlets': 'dcim.poweroutlettemplate',
  interfaces: 'dcim.interfacetemplate',
  'rear-ports': 'dcim.rearporttemplate',
  'front-ports': 'dcim.frontporttemplate',
  'device-bays': 'dcim.devicebaytemplate',
  'module-bays': 'dcim.modulebaytemplate',
  'inventory-items': 'dcim.inventoryitemtemplate',
};

const NAMES: Readonly<Record<string, Record<string, string>>> = {
  'power-outlets': { power_port: 'power-ports' },
  'front-ports': { rear_port: 'rear-ports' },
  interfaces: { bridge: 'interfaces' },
};

/** The library names the one rear port of a front port beside its other fields. */
const mapped: NonNullable<ImportedPart['from']> = ({ rear_port, rear_port_position, ...rest }) =>
  rear_port === undefined
    ? rest
    : { ...rest, rear_ports: [{ position: 1, rear_port, rear_port_position: rear_port_position ?? 1 }] };

/** Texts are written without quotes there, also where they look like numbers. */
const texts: NonNullable<ImportedPart['from']> = (said) =>
  Object.fromEntries(
    Object.entries(said).map(([name, value]) => [
      name,
      ['name', 'label', 'position', 'part_id'].includes(name) && typeof value === 'number' ? String(value) : value,
    ]),
  );

/** Files of the library for types of a kind: `by` is what their parts call them. */
export const fromLibrary = (by: 'device_type' | 'module_type'): FormWords => ({
  parts: Object.fromEntries(
    Object.entries(KINDS)
      .filter(([member]) => by === 'device_type' || !['device-bays', 'inventory-items'].includes(member))
      .map(([member, type]): [string, ImportedPart] => [
        member,
        {
          type,
          by,
          ...(NAMES[member] ? { names: NAMES[member] } : {}),
          from: (said) => texts(member === 'front-ports' ? mapped(said) : said),
        },
      ]),
  ),
  ignored: ['front_image', 'rear_image', 'is_powered'],
});
