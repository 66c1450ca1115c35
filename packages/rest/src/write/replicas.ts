import { type Column, quote, typeId } from '@cadastre/model';
import { type Executor, rowsOf } from '../query/sql.ts';
import type { Tables } from '../query/tables.ts';
import type { ReplicaRow } from './peers.ts';

/** A column in the list that turns JSON into rows: lengths do not matter there. */
export const recordType = (column: Column): string => column.type.replace(/\(.*?\)/, '');

/** Puts rows of another service's objects into their replica, where they are newer than what is there. One statement. */
export async function keepReplicas(tables: Tables, type: string, rows: ReplicaRow[], executor: Executor): Promise<void> {
  if (!rows.length) return;
  const model = tables.catalogue.get(type), table = tables.nameOf(type);
  const columns = [...tables.columnsOf(model).values()];
  const names = columns.map((c) => quote(c.name)).join(', ');
  const updates = columns.filter((c) => c.name !== 'id').map((c) => `${quote(c.name)} = excluded.${quote(c.name)}`).join(', ');
  await rowsOf(executor, {
    text: `with kept as (
      insert into ${table} as t (${names})
      select distinct on (r.id) ${columns.map((c) => `r.${quote(c.name)}`).join(', ')} from jsonb_to_recordset($1::jsonb) as r(${columns.map((c) => `${quote(c.name)} ${recordType(c)}`).join(', ')}) order by r.id, r._version desc
      on conflict (id) do update set ${updates} where t._version < excluded._version
      returning id
    ) insert into touched (type, id) select ${typeId(type)}, id from kept`,
    values: [JSON.stringify(rows)],
  });
}

/** Takes objects that are gone out of their replica. One statement. */
export async function dropReplicas(tables: Tables, type: string, ids: number[], executor: Executor): Promise<void> {
  if (!ids.length) return;
  await rowsOf(executor, {
    text: `with gone as (delete from ${tables.nameOf(type)} where id = any($1::bigint[]) returning id) insert into touched (type, id) select ${typeId(type)}, id from gone`,
    values: [ids],
  });
}
