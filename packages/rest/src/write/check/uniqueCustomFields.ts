import { type Dict, type Json, lookedUp, type Model } from '@cadastre/model';
import type { CustomField } from '../../cache/customFieldDefinitions.ts';
import { type Executor, rowsOf } from '../../db/sql.ts';
import type { Tables } from '../../db/tables.ts';
import { hasErrors, type Item } from '../context/item.ts';

interface Claim {
  n: number;
  id: number | null;
  name: string;
  value: Json;
}

/**
 * Compares values of unique custom fields with those of other objects of the type, and of the same request; messages go
 * into the items. No constraint of the table can hold this, so writers of one field wait for each other. Two
 * statements.
 */
export async function checkUniqueCustomFields(
  tables: Tables,
  model: Model,
  fields: readonly CustomField[],
  items: { item: Item; object: Record<string, Json> }[],
  executor: Executor,
): Promise<void> {
  const unique = fields.filter((field) => field.unique);
  const claims = items.flatMap(({ item, object }, n): Claim[] =>
    hasErrors(item)
      ? []
      : unique.flatMap(({ name }) => {
          const value = (object['custom_fields'] as Dict | undefined)?.[name] ?? null;
          return value === null ? [] : [{ n, id: item.id ?? null, name, value }];
        }),
  );
  if (!claims.length) return;
  await rowsOf(executor, {
    text: 'select pg_advisory_xact_lock(hashtextextended(k, 0)) from unnest($1::text[]) k',
    values: [[...new Set(claims.map((c) => `${model.name} ${c.name}`))].sort()],
  });
  const rows = await rowsOf(executor, {
    text: `select r.n, r.name from jsonb_to_recordset($1::jsonb) as r(n integer, id bigint, name text, value jsonb)
      ${lookedUp(`select from ${tables.nameOf(model.name)} t where t.custom_fields @> jsonb_build_object(r.name, r.value) and t.custom_fields -> r.name = r.value and t.id is distinct from r.id`)} t`,
    values: [JSON.stringify(claims)],
  });
  const seen = new Set<string>();
  const twice = claims.filter((claim) => {
    const key = JSON.stringify([claim.name, claim.value]);
    const known = seen.has(key);
    seen.add(key);
    return known;
  });
  const taken = new Set([...rows.map(([n, name]) => `${n} ${name}`), ...twice.map(({ n, name }) => `${n} ${name}`)]);
  for (const { n, name } of claims)
    if (taken.has(`${n} ${name}`))
      ((items[n]!.item.errors['__all__'] ??= []) as string[]).push(`Custom field '${name}' must have a unique value.`);
}
