import { type Dict, isDict, type Json } from '@cadastre/model';

const idOf = (value: Json | undefined): Json => (isDict(value) ? (value['id'] ?? null) : (value ?? null));

/** NetBox before 4.5: a front port has one position of one rear port. */
function oneRearPort({ rear_port: port, rear_port_position: position, ...rest }: Dict): Dict {
  if (port === undefined || rest['rear_ports'] !== undefined) return rest;
  return { ...rest, rear_ports: [{ position: 1, rear_port: idOf(port), rear_port_position: position ?? 1 }] };
}

/** NetBox before 4.3: a service belongs to a device or to a virtual machine. */
function oneOfTwoParents({ device, virtual_machine: machine, ...rest }: Dict): Dict {
  if (rest['parent_object_type'] !== undefined) return rest;
  return isDict(device)
    ? { ...rest, parent_object_type: 'dcim.device', parent_object_id: idOf(device) }
    : { ...rest, parent_object_type: 'virtualization.virtualmachine', parent_object_id: idOf(machine) };
}

/** NetBox before 4.3: a contact is in one group at most. */
const oneGroup = ({ group, ...rest }: Dict): Dict =>
  rest['groups'] !== undefined ? rest : { ...rest, groups: group ? [group] : [] };

/** NetBox before 4.5: a token has no version, and where its key is shown that is its secret. */
const unversioned = (token: Dict): Dict => {
  if (token['version'] !== undefined) return token;
  const { key: _, ...rest } = token;
  return { ...rest, version: 1 };
};

/** Converts the representations of a type by older versions to those of NetBox 4.6. */
const OLDER: Readonly<Record<string, (shown: Dict) => Dict>> = {
  'dcim.frontport': oneRearPort,
  'dcim.frontporttemplate': oneRearPort,
  'ipam.service': oneOfTwoParents,
  'tenancy.contact': oneGroup,
  'users.token': unversioned,
};

/** An object as NetBox 4.6 shows it, whatever version it comes from. */
export const asToday = (type: string, shown: Dict): Dict => OLDER[type]?.(shown) ?? shown;
