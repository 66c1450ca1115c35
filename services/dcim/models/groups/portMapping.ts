import { type Effect, type Field, integer, model, type Model, owned, ref, type Values } from '@cadastre/model';

const position = (): Field => integer({ size: 'smallint', min: 1, max: 1024, default: 1 });

/** How many fibres, or pairs, a port has. */
export const positions = (): Record<string, Field> => ({ positions: position() });

/**
 * Which position of a front port leads to which position of a rear port: rows of both. `front` and `rear` are the types
 * of ports.
 */
export const mappingModel = (name: string, label: string, front: string, rear: string, effects: Effect[] = []): Model =>
  model(name, {
    path: `${label.replaceAll(' ', '-')}s`,
    label,
    brief: ['front_port', 'rear_port'],
    part: 'hidden',
    fields: {
      front_port: ref(front, { onDelete: 'cascade', form: 'id' }),
      front_port_position: position(),
      rear_port: ref(rear, { onDelete: 'cascade', form: 'id' }),
      rear_port_position: position(),
    },
    unique: [{ fields: ['front_port', 'front_port_position'] }, { fields: ['rear_port', 'rear_port_position'] }],
    effects,
  });

/** The mappings of a front port. */
export const rearPorts = (mapping: Model): Field =>
  owned(mapping, 'front_port', {
    position: 'front_port_position',
    rear_port: 'rear_port',
    rear_port_position: 'rear_port_position',
  });

/** The mappings of a rear port. */
export const frontPorts = (mapping: Model): Field =>
  owned(mapping, 'rear_port', {
    position: 'rear_port_position',
    front_port: 'front_port',
    front_port_position: 'front_port_position',
  });

type Side = 'front' | 'rear';
const other = { front: 'rear', rear: 'front' } as const;
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/**
 * Ports are mapped to ports of the same owner (`within`: the fields that refer to it), at positions that both have.
 * `what` is the name of the other ports in messages.
 */
export const mapsWithin =
  (side: Side, mapping: Model, within: readonly string[], what: string): Effect =>
  async (changes, { find, refuse }) => {
    const opposite = other[side];
    const list = `${opposite}_ports`;
    const looked = changes.filter(
      (c) =>
        c.after &&
        (c.given[list] !== undefined ||
          (c.before && [...within, 'positions'].some((name) => c.before![name] !== c.after![name]))),
    );
    if (!looked.length) return;
    const rows = await find(mapping.name, { [`${side}_port`]: looked.map((c) => c.after!['id']!) });
    if (!rows.length) return;
    const others = new Map(
      (
        await find(mapping.fields[`${opposite}_port`]!.relation!.to, {
          id: rows.map((row) => row[`${opposite}_port`]!),
        })
      ).map((port) => [port['id'], port]),
    );
    for (const change of looked) {
      const port = change.after!;
      const own = rows.filter((row) => row[`${side}_port`] === port['id']);
      if (change.given[list] === undefined && Number(port['positions']) < own.length)
        refuse(
          { positions: [`The number of positions cannot be less than the number of mapped ${what} (${own.length})`] },
          change,
        );
      for (const row of own) {
        const problem = wrongRow(side, port, others.get(row[`${opposite}_port`])!, row, within);
        if (problem) refuse({ [list]: [problem] }, change);
      }
    }
  };

function wrongRow(
  side: Side,
  port: Values,
  counterpart: Values,
  row: Values,
  within: readonly string[],
): string | undefined {
  const apart = within.find((name) => port[name] !== counterpart[name]);
  if (apart)
    return `${capital(other[side])} port (${counterpart['name']}) must belong to the same ${apart.replace('_', ' ')}`;
  for (const [kind, object] of [
    [side, port],
    [other[side], counterpart],
  ] as const) {
    const at = Number(row[`${kind}_port_position`]);
    if (at > Number(object['positions']))
      return `Invalid ${kind} port position (${at}): ${capital(kind)} port ${object['name']} has only ${object['positions']} positions.`;
  }
  return undefined;
}
