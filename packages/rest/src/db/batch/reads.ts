import type { Cell } from '@cadastre/model';
import { type Executor, rowsOf, type Statement } from '../sql.ts';

interface Asked {
  statement: Statement;
  /** Ids of rows that are asked for, by those who wait for each; none where the statement says all itself. */
  ids: Map<string, PromiseWithResolvers<Cell[] | undefined>> | undefined;
  rows: PromiseWithResolvers<Cell[][]>;
}

/**
 * Statements of readers, of which those that come in the same turn of the event loop run as one: whoever asks for the
 * same shares its rows, and objects by id are looked up together. Each sees what had been committed when it asked, as
 * nothing is sent before the turn has ended. Rows are shared, so nobody changes them.
 */
export class Reads {
  readonly #executor: Executor;
  #asked = new Map<string, Asked>();

  constructor(executor: Executor) {
    this.#executor = executor;
  }

  /** The rows of a statement. */
  rows(statement: Statement): Promise<Cell[][]> {
    return this.#add(`${statement.text}\0${JSON.stringify(statement.values)}`, statement, false).rows.promise;
  }

  /**
   * The row with an id, or undefined where there is none. The statement selects the rows of the ids in `$1`, with the
   * id in its first column; `values` are those from `$2` on.
   */
  row(text: string, values: readonly unknown[], id: string): Promise<Cell[] | undefined> {
    const ids = this.#add(`${text}\0${JSON.stringify(values)}\0id`, { text, values: [...values] }, true).ids!;
    let found = ids.get(id);
    if (!found) ids.set(id, (found = Promise.withResolvers()));
    return found.promise;
  }

  #add(key: string, statement: Statement, byId: boolean): Asked {
    let asked = this.#asked.get(key);
    if (asked) return asked;
    asked = { statement, ids: byId ? new Map() : undefined, rows: Promise.withResolvers() };
    // What has arrived by now has yet to be read, all of it.
    if (!this.#asked.size) setImmediate(() => this.#send());
    this.#asked.set(key, asked);
    return asked;
  }

  #send(): void {
    const all = [...this.#asked.values()];
    this.#asked.clear();
    for (const { statement, ids, rows } of all) {
      if (ids) void this.#look(statement, ids);
      else rowsOf(this.#executor, statement).then(rows.resolve, rows.reject);
    }
  }

  async #look({ text, values }: Statement, ids: NonNullable<Asked['ids']>): Promise<void> {
    try {
      for (const row of await rowsOf(this.#executor, { text, values: [[...ids.keys()], ...values] }))
        ids.get(row[0]!)?.resolve(row);
      for (const { resolve } of ids.values()) resolve(undefined);
    } catch (error) {
      for (const { reject } of ids.values()) reject(error);
    }
  }
}
