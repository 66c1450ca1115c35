import type { Cell } from '@cadastre/model';
import { type Engine, type Named, rowsOf } from '@cadastre/rest';

/** A path as it is kept; see `models/cables/cablePath.ts`. */
export interface StoredPath {
  id: number;
  steps: Named[][];
  active: boolean;
  complete: boolean;
  split: boolean;
}

const nodeOf = (key: string): Named => {
  const [type, id] = key.split(':') as [string, string];
  return { type, id: Number(id) };
};

const pathOf = ([id, steps, active, complete, split]: Cell[]): StoredPath => ({
  id: Number(id),
  steps: (JSON.parse(steps!) as string[][]).map((step) => step.map(nodeOf)),
  active: active === 't',
  complete: complete === 't',
  split: split === 't',
});

const SELECT = 'select p.id, p.steps, p.is_active, p.is_complete, p.is_split';

/** The path that begins at an object. */
export async function pathFrom({ pool, tables }: Engine, { type, id }: Named): Promise<StoredPath | undefined> {
  const rows = await rowsOf(pool, {
    text: `${SELECT} from ${tables.nameOf('dcim.cablepath')} p where p.origin_type = $1 and p.origin_ids @> array[$2::bigint] order by p.id`,
    values: [type, id],
  });
  return rows[0] && pathOf(rows[0]);
}

/** The paths that lead over an object. */
export async function pathsOver({ pool, tables }: Engine, { type, id }: Named): Promise<StoredPath[]> {
  const key = `${type}:${id}`;
  const rows = await rowsOf(pool, {
    text: `${SELECT} from ${tables.nameOf('dcim.cablepath')} p where p.seen @> array[$1::text] order by p.id`,
    values: [key],
  });
  // An object that was looked at while tracing a path need not lie on it.
  return rows
    .map(pathOf)
    .filter(({ steps }) => steps.some((step) => step.some((node) => `${node.type}:${node.id}` === key)));
}
