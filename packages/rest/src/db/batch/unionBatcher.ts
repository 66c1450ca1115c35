import { Batcher } from '@cadastre/events/batcher';
import type { Cell } from '@cadastre/model';
import { type Executor, rowsOf } from '../sql.ts';

interface Asked {
  sql: string;
  ids: readonly string[];
}

/**
 * Runs statements that are asked for at the same time as one: what an object shows of ten other types costs one round
 * trip to the database instead of ten. Each selects an id among those in `$1`, and a value.
 */
export class UnionBatcher {
  readonly #executor: Executor;
  // Whoever asks now asks before what is batched here runs.
  readonly #batcher = new Batcher((asked: readonly Asked[]) => this.#rowsOf(asked), { gathers: 'microtask' });

  constructor(executor: Executor) {
    this.#executor = executor;
  }

  /** Rows `[id, value]`, for these ids only. */
  rows(sql: string, ids: readonly string[]): Promise<Cell[][]> {
    return this.#batcher.add({ sql, ids });
  }

  async #rowsOf(asked: readonly Asked[]): Promise<Cell[][][]> {
    const [only] = asked;
    const ids = [...new Set(asked.flatMap((one) => one.ids))];
    if (asked.length === 1) return [await rowsOf(this.#executor, { text: only!.sql, values: [ids] })];
    const text = asked
      .map(({ sql }, i) => `select ${i}::int, x.id::text, x.value::text from (${sql}) as x (id, value)`)
      .join(' union all ');
    const rows = Map.groupBy(await rowsOf(this.#executor, { text, values: [ids] }), ([which]) => Number(which));
    return asked.map((one, i) => {
      const wanted = new Set(one.ids);
      return (rows.get(i) ?? []).flatMap(([, id, value]) => (wanted.has(id!) ? [[id!, value!]] : []));
    });
  }
}
