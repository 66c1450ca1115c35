import { columnName, type Model, quote } from '@cadastre/model';
import type { ReadEngine } from './engine.ts';
import { conditionsOf } from './filters/conditions.ts';
import type { FilterContext } from './filters/context.ts';
import { orderSql } from '../order/order.ts';
import { allowedSql } from '../visibility/permissions.ts';
import type { Requester } from '../core/requester.ts';
import { planDetail, writerFor } from './plan/plan.ts';
import type { CustomField } from '../cache/customFieldDefinitions.ts';
import { loadRelated } from '../serialize/related/related.ts';
import { selectList } from '../db/select.ts';
import { Binder, likeText, plainArray, rowsOf } from '../db/sql.ts';

/** What is looked for, among which types, and how many objects of each are wanted. */
export interface Sought {
  text: string;
  types: readonly string[];
  each: number;
}

/** How many objects of a type are counted and compared at most. */
const MOST = 1_000;

/** The shape in which objects are shown: that of `?brief=true`. */
const BRIEF = { fields: null, omit: null, brief: true, exclude: [] };

/**
 * The objects of a service that match a text as in `?q=`, or by the values of custom fields: of each type those that
 * match best, and how many there are. One statement finds all, and one more for each type reads its objects.
 * @returns JSON text: a list of `{type, count, more, objects}`, without types that have no visible match
 */
export async function found(
  engine: ReadEngine,
  { text, types, each }: Sought,
  who: Requester,
  base: string,
): Promise<string> {
  await engine.invalidations.wait();
  const definitions = await engine.definitions();
  const binder = new Binder();
  const context: FilterContext = {
    tables: engine.tables,
    binder,
    find: engine.find(),
    definitions,
    maxRegexLength: engine.settings.maxRegexLength,
    strict: false,
    who,
  };
  const models = engine.catalogue
    .ownedBy(engine.tables.service)
    .filter((model) => types.includes(model.name) && 'q' in engine.catalogue.filtersOf(model));
  const parts: string[] = [];
  for (const [i, model] of models.entries()) {
    const sql = await bestOf(model, i, text, each, context);
    if (sql) parts.push(sql);
  }
  if (!parts.length) return '[]';
  const rows = await rowsOf(engine.pool, { text: parts.join(' union all '), values: binder.values });
  const ids = new Map<number, string[]>();
  const counts = new Map<number, number>();
  for (const [i, id, count] of rows) {
    const at = Number(i);
    ids.set(at, [...(ids.get(at) ?? []), id!]);
    counts.set(at, Number(count));
  }
  const told = await Promise.all(
    [...ids].map(async ([i, all]) => {
      const objects = await textsOf(engine, models[i]!, all, who, base);
      const count = counts.get(i)!;
      return `{"type":${JSON.stringify(models[i]!.name)},"count":${Math.min(count, MOST)},"more":${count > MOST},"objects":[${objects.join(',')}]}`;
    }),
  );
  return `[${told.join(',')}]`;
}

/**
 * Selects the number of the type, ids, and how many there are. Written so that PostgreSQL finds all matches by the
 * condition alone, by its indexes where there are some, and never by going along the order: mostly, few objects match.
 */
async function bestOf(
  model: Model,
  number: number,
  text: string,
  each: number,
  context: FilterContext,
): Promise<string | undefined> {
  const { tables, binder, who } = context;
  const { bind } = binder;
  const permission = allowedSql(tables, model, 'view', who, binder);
  if (permission === false) return undefined;
  const [condition = 'true'] = (await conditionsOf(model, [['q', [text]]], context)).sql;
  const custom = context.definitions.of(model.name).filter(isSought);
  const table = `from ${tables.nameOf(model.name)} t`;
  const seen = permission ? ` and ${permission}` : '';
  const ways = [`select t.id ${table} where ${condition}${seen}`];
  if (custom.length) {
    const pattern = bind(`%${likeText(text)}%`);
    const holds = custom.map(({ name }) => `(t.custom_fields ->> ${bind(name)}) ilike ${pattern}`).join(' or ');
    ways.push(`select t.id ${table} where (${holds}) and (${condition}) is not true${seen}`);
  }
  const order = orderSql(tables, model, null, who);
  const by = [...rankOf(model, text, binder), order.by].join(', ');
  return `(with fits as materialized (${ways.join(' union all ')}), counted as materialized (select id from fits limit ${MOST + 1}) select '${number}', t.id::text, (select count(*) from counted)::text ${table}${order.joins} where t.id = any(array(select id from counted)) order by ${by} limit ${bind(each)})`;
}

/**
 * Names that equal the text come first, then names that begin with it; an address matches without its prefix length.
 */
function rankOf(model: Model, text: string, { bind }: Binder): string[] {
  const [name] = model.display.columns;
  const field = name === undefined ? undefined : model.fields[name];
  if (!field?.column) return [];
  const value = `t.${quote(columnName(name!, field))}::text`;
  const like = likeText(text);
  return [
    `case when ${value} ilike ${bind(like)} or ${value} ilike ${bind(`${like}/%`)} then 0 when ${value} ilike ${bind(`${like}%`)} then 1 else 2 end`,
  ];
}

/** Types of custom fields with values that people look for; the declaration of a field may exclude it from searches. */
const SOUGHT = new Set(['text', 'longtext', 'url', 'select', 'multiselect', 'integer', 'decimal']);
const isSought = ({ type, searched }: CustomField): boolean => searched && SOUGHT.has(type);

/** JSON texts of objects, in the order of the ids. */
async function textsOf(
  engine: ReadEngine,
  model: Model,
  ids: string[],
  who: Requester,
  base: string,
): Promise<string[]> {
  const writer = writerFor(engine.tables, model, BRIEF, 'each');
  const { text, values } = planDetail(engine.tables, model, selectList(engine.tables, model, writer.columns), who);
  const rows = await rowsOf(engine.pool, { text, values: [plainArray(ids), ...values] });
  const related = (await loadRelated(await engine.readContext(engine.pool, who), model, writer, rows))(base);
  const texts = new Map(rows.map((cells) => [cells[0]!, writer.print(cells, related)]));
  return ids.flatMap((id) => texts.get(id) ?? []);
}
