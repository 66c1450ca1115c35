import type { Effect, Stored, Values } from '@cadastre/model';
import { devicesOf } from '../cableLocations.ts';
import { type Node, CABLE } from '../plant.ts';
import { retraceOrRefuse } from '../refusing.ts';
import { OWN_TERMINABLE } from '../terminable.ts';

const nodeOf = (row: Values): Node => ({ type: String(row['termination_type']), id: Number(row['termination_id']) });
const gone = (changes: readonly Stored[]): Values[] =>
  changes.flatMap((c) => (c.action === 'deleted' ? [c.before!] : []));
const there = (changes: readonly Stored[]): Values[] => changes.flatMap((c) => (c.after ? [c.after] : []));

/** Notes, for each end, the device of the component that it is plugged into. */
export const locate: Effect = async (changes, context) => {
  const made = changes.flatMap((c) => (c.action === 'created' ? [c.after!] : []));
  const devices = await devicesOf(made.map(nodeOf), context);
  await context.derive(
    'dcim.cabletermination',
    made.flatMap((end, i) => (devices[i] ? { id: end['id']!, _device: devices[i] } : [])),
  );
};

/** Notes the cable at what it is plugged into. Other services do that for their own objects. */
export const attach: Effect = async (changes, { find, update }) => {
  const now = new Map(there(changes).map((row) => [`${row['termination_type']}:${row['termination_id']}`, row]));
  const before = gone(changes);
  for (const type of OWN_TERMINABLE) {
    const ids = [
      ...new Set(
        [...now.values(), ...before]
          .filter((row) => row['termination_type'] === type)
          .map((row) => Number(row['termination_id'])),
      ),
    ];
    if (!ids.length) continue;
    const wanted = (await find(type, { id: ids })).flatMap((object): Values[] => {
      const end = now.get(`${type}:${object['id']}`);
      if (
        !end &&
        object['cable'] !== null &&
        !before.some((row) => row['termination_id'] === object['id'] && row['cable'] === object['cable'])
      )
        return [];
      const values = {
        cable: end?.['cable'] ?? null,
        cable_end: end?.['cable_end'] ?? null,
        cable_connector: end?.['connector'] ?? null,
        cable_positions: end?.['positions'] ?? null,
      };
      const same = Object.entries(values).every(
        ([name, value]) => JSON.stringify(object[name]) === JSON.stringify(value),
      );
      return same ? [] : [{ id: object['id']!, ...values }];
    });
    await update(type, wanted);
  }
};

export const retraceTerminations: Effect = async (changes, context) => {
  const rows = [
    ...gone(changes),
    ...changes.flatMap((c) => (c.action === 'updated' ? [c.before!] : [])),
    ...there(changes),
  ];
  await retraceOrRefuse(
    rows.flatMap((row) => [nodeOf(row), { type: CABLE, id: Number(row['cable']) }]),
    changes,
    context,
  );
};
