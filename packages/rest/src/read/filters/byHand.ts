import { type Filter, type Model, typeId } from '@cadastre/model';
import type { Comparing } from '../lookups/compare.ts';
import { type FilterContext, sqlContext, idsOf } from './context.ts';

export function request(
  model: Model,
  actions: ('created' | 'updated')[],
  values: string[],
  comparing: Comparing,
): string | undefined {
  const id = values.at(-1)!;
  if (!/^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i.test(id)) return void comparing.fail('Enter a valid UUID.');
  const created = actions.length === 2 ? '' : ` and created is ${actions[0] === 'created'}`;
  return `t.id in (select id from request_change where request_id = ${comparing.binder.bind(id)}::uuid and type = ${typeId(model.name)}${created})`;
}

export function byMethod(
  filter: Extract<Filter, { kind: 'method' }>,
  values: string[],
  context: FilterContext,
  comparing: Comparing,
  types: Set<string>,
): string | undefined {
  const given = filter.many ? values : values.slice(-1);
  const sql = sqlContext(context, types);
  if (filter.value === 'boolean') {
    const truth = given.map((v) => v.toLowerCase()).filter((v) => ['true', 'false', '1', '0'].includes(v));
    return truth.length
      ? filter.sql(
          sql,
          truth.map((v) => (v === '1' ? 'true' : v === '0' ? 'false' : v)),
        )
      : undefined;
  }
  if (filter.value === 'number' && given.some((v) => !/^\s*[-+]?\d{1,15}\s*$/.test(v)))
    return void comparing.fail(filter.many ? 'Enter a whole number.' : 'Enter a number.');
  if (filter.value === 'uuid' && given.some((v) => !/^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i.test(v)))
    return void comparing.fail('Enter a valid UUID.');
  return filter.sql(sql, given);
}

/** Objects that values name, for SQL by hand. */
export async function byObjects(
  filter: Extract<Filter, { kind: 'objects' }>,
  values: string[],
  context: FilterContext,
  comparing: Comparing,
  types: Set<string>,
): Promise<string | undefined> {
  const given = filter.many ? values : values.slice(-1);
  const { tables, binder } = context;
  if (!tables.catalogue.has(filter.type) || !tables.has(filter.type))
    return void comparing.fail(`Select a valid choice. ${given[0]} is not one of the available choices.`);
  types.add(filter.type);
  const one = filter.many
    ? comparing
    : {
        ...comparing,
        fail: () => comparing.fail('Select a valid choice. That choice is not one of the available choices.'),
      };
  const ids = await idsOf(
    { type: filter.type, by: filter.by ?? 'id', values: given, tree: filter.tree ?? false },
    context,
    one,
  );
  return ids && filter.sql(sqlContext(context, types), `${binder.bind(ids)}::bigint[]`);
}
