import { type Dict, isDict, type Json, type Model } from '@cadastre/model';
import { uniqueRules } from '../../write/check/unique.ts';
import type { Messages } from './messages.ts';
import type { Part } from './read.ts';

/** What a row's reference or value is. */
const printed = (value: Json | undefined): string => JSON.stringify(isDict(value) ? value['id'] : value);

/**
 * Removes rows that repeat others of the same documents from parts, and reports each where it stands: the database
 * would find them too, but not where.
 */
export function withoutRepeated(
  model: Model,
  parts: readonly Part[],
  bodies: readonly Dict[],
  messages: Messages,
): void {
  for (const [list, { owned }] of Object.entries(model.fields)) {
    if (!owned) continue;
    const memberOf = new Map(Object.entries(owned.members).map(([member, field]) => [field, member]));
    const rules = uniqueRules(owned.from).filter(({ each }) =>
      each.every((field) => field === owned.field || memberOf.has(field)),
    );
    const seen = new Set<string>();
    for (const [i, body] of bodies.entries()) {
      const rows = body[list];
      if (!Array.isArray(rows)) continue;
      const { at, rows: origins, list: own, nth } = parts[i]!;
      const places = origins[list] ?? [];
      const kept = rows.map((row, k) => {
        if (!isDict(row)) return true;
        const keys = rules.map(({ each }, n) =>
          [n, ...each.map((field) => (field === owned.field ? i : printed(row[memberOf.get(field)!])))].join(' '),
        );
        const twice = rules.find((_, n) => seen.has(keys[n]!));
        for (const key of keys) seen.add(key);
        if (twice) messages.part(at, places[k] ?? [own, nth], { [twice.key]: [twice.message] });
        return twice === undefined;
      });
      body[list] = rows.filter((_, k) => kept[k]);
      origins[list] = places.filter((_, k) => kept[k] !== false);
    }
  }
}
