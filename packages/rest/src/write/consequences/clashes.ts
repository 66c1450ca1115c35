import { type Field, type Json, type Model, nameAmong, quote, rulesWithout, type Values } from '@cadastre/model';
import { type Executor, rowsOf } from '../../db/sql.ts';
import type { Tables } from '../../db/tables.ts';
import { recordOf } from '../store/store.ts';
import { equality, type Rule, uniqueRules } from '../check/unique.ts';
import { recordType } from '../../db/values.ts';

/**
 * Objects that would be the same by a rule: those that are about to change, and an existing one, unless they clash only
 * among themselves.
 */
export interface Clash {
  fields: readonly string[];
  ids: number[];
  other: number | null;
}

/** The rules that may be broken when objects lose what these fields refer to. */
export const rulesOf = (model: Model, fields: Iterable<string>): Rule[] => {
  const touched = new Set([...fields].flatMap((field) => rulesWithout(model, field)));
  return uniqueRules(model).filter((rule) => rule.of && touched.has(rule.of));
};

/** The rules that may be broken when objects get other values in these fields. */
export const rulesAbout = (model: Model, fields: readonly string[]): Rule[] =>
  uniqueRules(model).filter((rule) => rule.of && rule.each.some((name) => fields.includes(name)));

/**
 * Objects of a model, as they are about to be stored, that rules would find the same as others, or as each other. One
 * statement. Objects that are to be deleted at the same time count too, as they are deleted after the others have
 * changed.
 */
export async function clashesOf(
  tables: Tables,
  model: Model,
  rules: readonly Rule[],
  objects: readonly Values[],
  executor: Executor,
): Promise<Clash[]> {
  if (!rules.length || !objects.length) return [];
  const table = tables.nameOf(model.name);
  const kept = [...tables.columnsOf(model).values()];
  const list = `jsonb_to_recordset($1::jsonb) as r(${kept.map((c) => `${quote(c.name)} ${recordType(c)}`).join(', ')})`;
  const rows = (where: string | undefined) => (where ? `(select * from ${list} where ${where}) r` : list);
  const parts = rules.flatMap((rule, i) => {
    const nullable = (name: string) => kept.find((c) => c.name === name)!.nullable;
    const key = rule.columns
      .map((name) => (rule.folded.has(name) ? `lower(r.${quote(name)})` : `r.${quote(name)}`))
      .join(', ');
    const there = rule.where ? `(select * from ${table} where ${rule.where})` : table;
    const same = rule.columns.map((name) => equality(name, rule, nullable(name))).join(' and ');
    return [
      `select ${i}::int, array[r.id], found.id from ${rows(rule.where)}, lateral (select t.id from ${there} t where ${same} and t.id <> all($2::bigint[]) limit 1) found`,
      `select ${i}::int, array_agg(r.id order by r.id), null from ${rows(rule.where)} group by ${key} having count(*) > 1`,
    ];
  });
  const found = await rowsOf(executor, {
    text: parts.join(' union all '),
    values: [
      JSON.stringify(objects.map((o) => ({ id: o['id']!, ...recordOf(model, o) }))),
      objects.map((o) => o['id']),
    ],
  });
  return found.map(([rule, ids, other]) => ({
    fields: rules[Number(rule)]!.each,
    ids: ids!.slice(1, -1).split(',').map(Number),
    other: other === null ? null : Number(other),
  }));
}

/**
 * How often other names are tried for objects that would be the same; from the second time on they contain a number
 * that nobody else has.
 */
const ATTEMPTS = 5;

/**
 * Renames objects that would be the same as others: what changes them has happened already, so there is no request to
 * refuse. Returns those that were renamed.
 */
export async function renameClashing(
  tables: Tables,
  model: Model,
  rules: readonly Rule[],
  objects: readonly Values[],
  executor: Executor,
): Promise<ReadonlySet<Values>> {
  const byId = new Map(objects.map((object) => [Number(object['id']), object]));
  const named = new Map(objects.map((object) => [object, { ...object }]));
  const renamed = new Set<Values>();
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const clashes = await clashesOf(tables, model, rules, objects, executor);
    if (!clashes.length) break;
    const done = new Set<string>();
    for (const { fields, ids, other } of clashes) {
      const field = nameAmong(model, fields);
      // Of objects that clash with nothing but each other, the first may stay as it is.
      for (const id of field === undefined ? [] : ids.slice(other === null ? 1 : 0)) {
        if (done.size === done.add(`${id} ${field}`).size) continue;
        const object = byId.get(id)!;
        object[field!] = otherName(
          model.fields[field!]!,
          String(named.get(object)![field!]),
          attempt ? `${id}-${Date.now().toString(36)}${attempt}` : String(id),
        );
        renamed.add(object);
      }
    }
    // Where a rule has no name in it, PostgreSQL will report the violation.
    if (!done.size) break;
  }
  return renamed;
}

function otherName(field: Field, name: string, by: string): Json {
  const mark = field.kind === 'slug' ? `-${by}` : ` (${by})`;
  const max = Number(/\d+/.exec(field.column!.type)?.[0] ?? Infinity);
  return [...name].slice(0, max - mark.length).join('') + mark;
}
