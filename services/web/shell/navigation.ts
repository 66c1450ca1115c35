import { type Catalogue, type Model, webPath } from '@cadastre/model';
import { flat, html, type Html, nothing, type OwnPage } from '@cadastre/pages';
import { pluralLabel, titleLabel } from '../schema/labels.ts';
import { perLanguage } from '../ui/texts/speaking.ts';

interface Group {
  label: string;
  entries: readonly Entry[];
}

interface Entry {
  label: string;
  path: string;
  /** The key that leads there, after `g`. */
  key?: string | undefined;
  administrators?: boolean | undefined;
}

/** The groups of the menu, in order, with the types in them. Other types are listed at the end. */
const GROUPS: readonly (readonly [label: string, ...types: string[]])[] = [
  [
    'Organization',
    'dcim.region',
    'dcim.sitegroup',
    'dcim.site',
    'dcim.location',
    'tenancy.tenant',
    'tenancy.tenantgroup',
    'tenancy.contact',
    'tenancy.contactgroup',
    'tenancy.contactrole',
    'tenancy.contactassignment',
  ],
  ['Racks', 'dcim.rack', 'dcim.rackgroup', 'dcim.rackrole', 'dcim.racktype', 'dcim.rackreservation'],
  [
    'Devices',
    'dcim.device',
    'dcim.module',
    'dcim.devicerole',
    'dcim.platform',
    'dcim.virtualchassis',
    'dcim.virtualdevicecontext',
    'dcim.devicetype',
    'dcim.moduletype',
    'dcim.moduletypeprofile',
    'dcim.manufacturer',
  ],
  [
    'Components',
    'dcim.interface',
    'dcim.frontport',
    'dcim.rearport',
    'dcim.consoleport',
    'dcim.consoleserverport',
    'dcim.powerport',
    'dcim.poweroutlet',
    'dcim.modulebay',
    'dcim.devicebay',
    'dcim.inventoryitem',
    'dcim.inventoryitemrole',
    'dcim.macaddress',
  ],
  ['Connections', 'dcim.cable', 'dcim.cablebundle'],
  [
    'IPAM',
    'ipam.ipaddress',
    'ipam.iprange',
    'ipam.prefix',
    'ipam.role',
    'ipam.aggregate',
    'ipam.rir',
    'ipam.asn',
    'ipam.asnrange',
    'ipam.vrf',
    'ipam.routetarget',
    'ipam.vlan',
    'ipam.vlangroup',
    'ipam.vlantranslationpolicy',
    'ipam.fhrpgroup',
    'ipam.service',
    'ipam.servicetemplate',
  ],
  [
    'Virtualization',
    'virtualization.virtualmachine',
    'virtualization.vminterface',
    'virtualization.virtualdisk',
    'virtualization.cluster',
    'virtualization.clustertype',
    'virtualization.clustergroup',
    'virtualization.virtualmachinetype',
  ],
  [
    'Circuits',
    'circuits.circuit',
    'circuits.circuittype',
    'circuits.circuitgroup',
    'circuits.circuittermination',
    'circuits.circuitgroupassignment',
    'circuits.virtualcircuit',
    'circuits.virtualcircuittype',
    'circuits.virtualcircuittermination',
    'circuits.provider',
    'circuits.provideraccount',
    'circuits.providernetwork',
  ],
  ['Power', 'dcim.powerpanel', 'dcim.powerfeed'],
  ['Provisioning', 'extras.configcontext', 'extras.configcontextprofile', 'extras.configtemplate'],
  [
    'Customization',
    'extras.customfield',
    'extras.customfieldchoiceset',
    'extras.customlink',
    'extras.exporttemplate',
    'extras.savedfilter',
    'extras.tableconfig',
    'extras.tag',
  ],
  [
    'Operations',
    'extras.eventrule',
    'extras.webhook',
    'extras.webhookdelivery',
    'extras.webhookreplay',
    'extras.notificationgroup',
    'extras.journalentry',
    'extras.imageattachment',
    'core.objectchange',
  ],
  [
    'Admin',
    'users.user',
    'users.group',
    'users.token',
    'users.objectpermission',
    'users.owner',
    'users.ownergroup',
    'core.securityevent',
  ],
];

/** Pages about the whole installation. */
const OF_INSTALLATION: readonly Pick<OwnPage, 'path' | 'title' | 'menu' | 'administrators'>[] = [
  { path: '/core/parked-events/', title: 'Parked events', menu: 'Operations', administrators: true },
  { path: '/core/replicas/', title: 'Replicas', menu: 'Operations', administrators: true },
];

interface Menu {
  groups: readonly Group[];
  /** Rendered menus, by the present entries and whether the user is a superuser. */
  drawn: Map<string, Html>;
}

const known = perLanguage(() => new WeakMap<Catalogue, Menu>());

function menuOf(catalogue: Catalogue, pages: readonly OwnPage[]): Menu {
  const made = known();
  let menu = made.get(catalogue);
  if (menu) return menu;
  const entryOf = (type: string) => {
    const model = catalogue.models.get(type);
    const path = model && webPath(model);
    return model && path ? [{ label: pluralLabel(model), path, key: model.prominent?.key }] : [];
  };
  const named = new Set(GROUPS.flatMap(([, ...types]) => types));
  const ownOf = (group: string) =>
    [...pages, ...OF_INSTALLATION].flatMap(({ menu: at, title, path, administrators }): Entry[] =>
      at === group ? [{ label: titleLabel(title), path, administrators }] : [],
    );
  // Types whose objects have no page address in the API are reached from the objects that they belong to.
  const others = [...catalogue.models.values()]
    .filter(({ name, displayPath }) => !named.has(name) && displayPath !== false)
    .flatMap(({ name }) => entryOf(name));
  const groups = [
    ...GROUPS.map(([label, ...types]) => ({
      label: titleLabel(label),
      entries: [...types.flatMap(entryOf), ...ownOf(label)],
    })),
    { label: titleLabel('Other'), entries: others },
  ].filter(({ entries }) => entries.length);
  made.set(catalogue, (menu = { groups, drawn: new Map() }));
  return menu;
}

/** The menu for a path. As every page has it, it is rendered once for each present entry. */
export function menu(catalogue: Catalogue, path: string, pages: readonly OwnPage[], superuser: boolean): Html {
  const { groups, drawn } = menuOf(catalogue, pages);
  const here = new Set(
    groups.flatMap(({ entries }) => entries.filter((entry) => path.startsWith(entry.path)).map((entry) => entry.path)),
  );
  const key = [superuser, ...here].join(' ');
  let all = drawn.get(key);
  if (!all) drawn.set(key, (all = flat(html`${groups.map((group) => drawnGroup(group, here, superuser))}`)));
  return all;
}

function drawnGroup({ label, entries }: Group, here: ReadonlySet<string>, superuser: boolean): Html {
  const shown = entries.filter(({ administrators }) => superuser || !administrators);
  const open = shown.some(({ path }) => here.has(path));
  const items = shown.map(({ path, key, label: called }) => {
    const at = here.has(path) ? html` aria-current="page"` : nothing;
    const place = key === undefined ? nothing : html` data-place="${key}"`;
    return html`<li><a href="${path}"${at}${place}>${called}</a></li>`;
  });
  return html`<details name="menu"${open ? html` open` : nothing}><summary>${label}</summary><ul>${items}</ul></details>`;
}

/** Models in the order of the menu, without those that belong to no group. */
export const inOrder = (catalogue: Catalogue): Model[] =>
  GROUPS.flatMap(([, ...types]) => types.flatMap((type) => catalogue.models.get(type) ?? []));
