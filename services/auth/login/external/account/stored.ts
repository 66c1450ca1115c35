import type { Model, Values } from '@cadastre/model';
import { type Engine, rowsOf, valuesOf } from '@cadastre/rest';
import { type findRows, lockRows, rowColumns } from '@cadastre/rest/write/store/store';
import type { PoolClient } from 'pg';
import { user } from '../../../models/user.ts';

type Cells = Awaited<ReturnType<typeof findRows>>[number];

/** An object as it is stored, and what is in it. */
export interface Found {
  cells: Cells;
  values: Values;
}

const indexes = new Map<Model, ReadonlyMap<string, number>>();
export function read(model: Model, cells: Cells): Found {
  let index = indexes.get(model);
  if (!index) indexes.set(model, (index = new Map(rowColumns(model).map((name, i) => [name, i]))));
  return { cells, values: valuesOf(model, index, cells) };
}

/** A user, whom nobody else changes until the transaction ends. */
export async function lockedUser(
  { tables }: Pick<Engine, 'tables'>,
  client: PoolClient,
  condition: string,
  value: string | number,
): Promise<Found | null> {
  const [cells] = await lockRows(tables, user, condition, [value], client);
  return cells ? read(user, cells) : null;
}

/** Whether somebody else is an active superuser: the last one stays, as nobody could make another. */
export async function otherSuperuser(client: PoolClient, id: number | null): Promise<boolean> {
  const rows = await rowsOf(client, {
    text: 'select 1 from users_user where is_superuser and is_active and id is distinct from $1 limit 1',
    values: [id],
  });
  return rows.length > 0;
}
