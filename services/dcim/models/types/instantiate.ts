// The components of a device or a module: one for each template of its type.
import type { EffectContext, Json, Values } from '@cadastre/model';
import { named } from '../groups/naturalName.ts';

/** The object that gets components: a device, or a module in one. */
export interface Bearer {
  device: Json;
  module: Json;
  /** The bay that the module is in. */
  bay: Json;
  /** Its device type or module type. */
  type: Json;
  /** Makes new components. */
  replicates: boolean;
  /** Takes over components of the device that are named like a template and belong to no module. */
  adopts: boolean;
  /** A name or label of a template, with tokens replaced for the bearer. */
  resolve(text: string): string;
}

/** Components by bearer and by template. */
type Made = Map<Bearer, Map<Json, Values>>;

interface Kind {
  /** For `interface`, the templates are `dcim.interfacetemplate` and the components `dcim.interface`. */
  name: string;
  /** Fields that are copied unchanged. */
  copied: readonly string[];
  more?(template: Values, bearer: Bearer, made: Map<string, Made>): Values;
}

const componentOf = (made: Map<string, Made>, kind: string, bearer: Bearer, template: Json | undefined): Json =>
  made
    .get(kind)
    ?.get(bearer)
    ?.get(template ?? null)?.['id'] ?? null;

/** In the order in which they are created: kinds that others refer to come first. */
export const KINDS: readonly Kind[] = [
  { name: 'consoleport', copied: ['type'] },
  { name: 'consoleserverport', copied: ['type'] },
  { name: 'powerport', copied: ['type', 'maximum_draw', 'allocated_draw'] },
  {
    name: 'poweroutlet',
    copied: ['type', 'color', 'feed_leg'],
    more: (template, bearer, made) => ({ power_port: componentOf(made, 'powerport', bearer, template['power_port']) }),
  },
  {
    name: 'interface',
    copied: ['type', 'enabled', 'mgmt_only', 'poe_mode', 'poe_type', 'rf_role'],
    more: (template, bearer) => named({ name: bearer.resolve(String(template['name'])) }),
  },
  { name: 'rearport', copied: ['type', 'color', 'positions'] },
  { name: 'frontport', copied: ['type', 'color', 'positions'] },
  {
    name: 'modulebay',
    copied: ['enabled'],
    more: (template, bearer) => ({ position: bearer.resolve(String(template['position'])), parent: bearer.bay }),
  },
];

const BAYS: Kind = { name: 'devicebay', copied: ['enabled'] };

export type TypeField = 'device_type' | 'module_type';

/** Templates by the type that they belong to, in natural order of their names. */
export async function templatesOf(
  kind: string,
  field: TypeField,
  types: readonly Json[],
  { found }: Pick<EffectContext, 'found'>,
): Promise<Map<Json, readonly Values[]>> {
  const order = new Intl.Collator('und', { numeric: true });
  const lists = await Promise.all(types.map((type) => found(`dcim.${kind}template`, field, type)));
  return new Map(
    types.map((type, i) => [
      type,
      [...lists[i]!].sort(
        (a, b) => order.compare(String(a['name']), String(b['name'])) || Number(a['id']) - Number(b['id']),
      ),
    ]),
  );
}

/** Creates the components of devices (or modules), by a constant number of statements, however many there are. */
export async function instantiate(bearers: readonly Bearer[], field: TypeField, context: EffectContext): Promise<void> {
  if (!bearers.length) return;
  const made = new Map<string, Made>();
  const types = [...new Set(bearers.map((b) => b.type))];
  for (const kind of field === 'device_type' ? [...KINDS, BAYS] : KINDS) {
    const templates = await templatesOf(kind.name, field, types, context);
    if (bearers.some((b) => templates.get(b.type)!.length))
      made.set(kind.name, await makeKind(kind, bearers, templates, made, context));
    if (kind.name === 'interface') await bridge(templates, made, context);
    if (kind.name === 'frontport') await map(templates, made, context);
  }
  if (field === 'device_type')
    await stock(bearers, await templatesOf('inventoryitem', field, types, context), made, context);
}

async function makeKind(
  kind: Kind,
  bearers: readonly Bearer[],
  templates: Map<Json, readonly Values[]>,
  made: Map<string, Made>,
  { found, create, update }: EffectContext,
): Promise<Made> {
  const out: Made = new Map(bearers.map((bearer) => [bearer, new Map()]));
  const type = `dcim.${kind.name}`;
  const plans: { bearer: Bearer; template: Values; object: Values }[] = [];
  const adopted: Values[] = [];
  for (const bearer of bearers) {
    const free = bearer.adopts
      ? new Map(
          (await found(type, 'device', bearer.device)).filter((c) => c['module'] === null).map((c) => [c['name'], c]),
        )
      : undefined;
    for (const template of templates.get(bearer.type)!) {
      const object = objectOf(kind, template, bearer, made);
      const known = free?.get(object['name']);
      if (known) {
        adopted.push({
          id: known['id']!,
          module: bearer.module,
          ...('parent' in object ? { parent: object['parent']! } : {}),
        });
        out.get(bearer)!.set(template['id']!, known);
      } else if (bearer.replicates) plans.push({ bearer, template, object });
    }
  }
  await update(type, adopted);
  const stored = await create(
    type,
    plans.map((plan) => plan.object),
  );
  for (const [i, { bearer, template }] of plans.entries()) out.get(bearer)!.set(template['id']!, stored[i]!);
  return out;
}

function objectOf({ name, copied, more }: Kind, template: Values, bearer: Bearer, made: Map<string, Made>): Values {
  return {
    device: bearer.device,
    ...(name === BAYS.name ? {} : { module: bearer.module }),
    name: bearer.resolve(String(template['name'])),
    label: bearer.resolve(String(template['label'] ?? '')),
    ...Object.fromEntries(copied.map((field) => [field, template[field] ?? null])),
    ...more?.(template, bearer, made),
  };
}

/** Interfaces are bridged as their templates are. */
async function bridge(
  templates: Map<Json, readonly Values[]>,
  made: Map<string, Made>,
  { update }: EffectContext,
): Promise<void> {
  const bridged = [...templates.values()].flat().filter((template) => template['bridge'] !== null);
  const changes = [...(made.get('interface') ?? [])].flatMap(([bearer, components]) =>
    bridged.flatMap((template) => {
      const [own, other] = [
        components.get(template['id']!),
        componentOf(made, 'interface', bearer, template['bridge']),
      ];
      return own && other !== null ? [{ id: own['id']!, bridge: other }] : [];
    }),
  );
  await update('dcim.interface', changes);
}

/** Front ports lead to rear ports as their templates do. */
async function map(
  templates: Map<Json, readonly Values[]>,
  made: Map<string, Made>,
  { found, create }: EffectContext,
): Promise<void> {
  const fronts = [...templates.values()].flat();
  const mappings = (
    await Promise.all(fronts.map((template) => found('dcim.porttemplatemapping', 'front_port', template['id'])))
  ).flat();
  const rows = [...(made.get('frontport') ?? [])].flatMap(([bearer, components]) =>
    mappings.flatMap((mapping) => {
      const [front, rear] = [
        components.get(mapping['front_port']!),
        componentOf(made, 'rearport', bearer, mapping['rear_port']),
      ];
      return front && rear !== null
        ? [
            {
              front_port: front['id']!,
              front_port_position: mapping['front_port_position']!,
              rear_port: rear,
              rear_port_position: mapping['rear_port_position']!,
            },
          ]
        : [];
    }),
  );
  await create('dcim.portmapping', rows);
}

/** Inventory items, level by level, as each needs the one above it. */
async function stock(
  bearers: readonly Bearer[],
  templates: Map<Json, readonly Values[]>,
  made: Map<string, Made>,
  { create }: EffectContext,
): Promise<void> {
  const items: Made = new Map(bearers.map((bearer) => [bearer, new Map()]));
  let level = bearers.flatMap((bearer) =>
    templates
      .get(bearer.type)!
      .filter((template) => template['parent'] === null)
      .map((template) => ({ bearer, template })),
  );
  while (level.length) {
    const stored = await create(
      'dcim.inventoryitem',
      level.map(({ bearer, template }) => itemOf(bearer, template, items, made)),
    );
    for (const [i, { bearer, template }] of level.entries()) items.get(bearer)!.set(template['id']!, stored[i]!);
    level = level.flatMap(({ bearer, template }) =>
      templates
        .get(bearer.type)!
        .filter((child) => child['parent'] === template['id'])
        .map((child) => ({ bearer, template: child })),
    );
  }
}

function itemOf(bearer: Bearer, template: Values, items: Made, made: Map<string, Made>): Values {
  const kind = /^dcim\.(\w+)template$/.exec(String(template['component_type'] ?? ''))?.[1];
  const component = kind === undefined ? null : componentOf(made, kind, bearer, template['component_id']);
  const { name, label, role, manufacturer, part_id } = template;
  return {
    device: bearer.device,
    parent: items.get(bearer)!.get(template['parent']!)?.['id'] ?? null,
    name: bearer.resolve(String(name)),
    label: bearer.resolve(String(label ?? '')),
    role: role!,
    manufacturer: manufacturer!,
    part_id: part_id!,
    ...(component === null ? {} : { component_type: `dcim.${kind}`, component_id: component }),
  };
}
