import { Batcher } from '@cadastre/events/batcher';
import type { Cell } from '@cadastre/model';
import { type Executor, rowsOf, type Statement } from '../sql.ts';

/** A caller that waits for all rows of a statement, or for the row of one object. */
interface Asked {
  key: string;
  statement: Statement;
  id: string | undefined;
}
type Answer = Cell[][] | Cell[] | undefined;

/**
 * Batches the statements of readers: those that arrive in the same turn of the event loop run as one. Readers that ask
 * for the same statement share its rows, and objects by id are looked up together. Each sees what had been committed
 * when it asked, as nothing is sent before the turn has ended. As rows are shared, nobody may change them.
 */
export class ReadBatcher {
  readonly #executor: Executor;
  readonly #batcher = new Batcher<Asked, Answer>((all) => this.#send(all));

  constructor(executor: Executor) {
    this.#executor = executor;
  }

  /** The rows of a statement. */
  rows(statement: Statement): Promise<Cell[][]> {
    const key = `${statement.text}\0${JSON.stringify(statement.values)}`;
    return this.#batcher.add({ key, statement, id: undefined }) as Promise<Cell[][]>;
  }

  /**
   * The row with an id, or undefined where there is none. The statement selects the rows of the ids in `$1`, with the
   * id in its first column; `values` are those from `$2` on.
   */
  row(text: string, values: readonly unknown[], id: string): Promise<Cell[] | undefined> {
    const key = `${text}\0${JSON.stringify(values)}\0id`;
    return this.#batcher.add({ key, statement: { text, values: [...values] }, id }) as Promise<Cell[] | undefined>;
  }

  /** Nobody waits for the statement of another. */
  #send(all: readonly Asked[]): Promise<Answer>[] {
    const answers = new Map<string, (id: string | undefined) => Promise<Answer>>();
    for (const [key, asked] of Map.groupBy(all, (one) => one.key)) {
      const { statement, id } = asked[0]!;
      if (id === undefined) {
        const rows = rowsOf(this.#executor, statement);
        answers.set(key, () => rows);
      } else {
        const rows = this.#rowsById(statement, asked);
        answers.set(key, async (one) => (await rows).get(one!));
      }
    }
    return all.map(({ key, id }) => answers.get(key)!(id));
  }

  async #rowsById({ text, values }: Statement, asked: readonly Asked[]): Promise<Map<string, Cell[]>> {
    const ids = [...new Set(asked.map(({ id }) => id!))];
    const rows = await rowsOf(this.#executor, { text, values: [ids, ...values] });
    return new Map(rows.map((row) => [row[0]!, row]));
  }
}
