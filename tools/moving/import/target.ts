import type { Dict } from '@cadastre/model';
import { type RequestOptions, requestsTo, SHOWN } from '../requests.ts';

/** Messages by field, as the import API returns them. */
export type Messages = Record<string, unknown>;

/** The outcome for an object that was sent. */
export interface Outcome {
  id: number;
  outcome: 'created' | 'updated' | 'unchanged' | 'deleted' | 'refused';
  /** Rules of the target that it violates, although it was stored. */
  notes?: Messages;
  /** Why it was refused. */
  errors?: Messages;
}

/** An object that the target has. */
interface Held {
  id: number;
  /** Whether it came by an import. */
  imported: boolean;
}

/** The import API of the target. Every method throws Unreachable. */
export interface Target {
  readonly name: string;
  /** @param objects as JSON texts. @returns the outcome for each, in their order */
  store(path: string, objects: readonly string[], dryRun: boolean): Promise<Outcome[]>;
  /** All its objects of a type, by ascending id. */
  held(path: string): AsyncIterable<Held>;
  remove(path: string, ids: readonly number[]): Promise<Outcome[]>;
  /** The objects with some ids, as its API shows them. */
  shown(path: string, ids: Iterable<number>): AsyncIterable<Dict>;
}

/** The target does not answer, or refuses; the message says what to do. */
class Unreachable extends Error {
  override readonly name = 'Unreachable';
  readonly status: number | undefined;
  constructor(message: string, status?: number, cause?: unknown) {
    super(message, { cause });
    this.status = status;
  }
}

const PAGE = 10_000;
const PER_ADDRESS = 100;
const TOO_LARGE = 413;

/** The target may need a while for a batch. */
const TIMEOUT_MS = 300_000;

export function targetAt(base: string, options: RequestOptions): Target {
  const request = requestsTo(
    base,
    { timeoutMs: TIMEOUT_MS, ...options },
    { failure: (message, status, cause) => new Unreachable(message, status, cause), told },
  );
  const send = async (...given: Parameters<typeof request>): Promise<Dict> =>
    JSON.parse((await request(...given)).toString()) as Dict;

  return {
    name: base,
    async store(path, objects, dryRun) {
      return inHalves(objects, (some) =>
        send('POST', `/api/${path}/import/`, `{"dry_run":${dryRun},"objects":[${some.join(',')}]}`),
      );
    },
    async *held(path) {
      for (let after: number | null = 0; after !== null; ) {
        const page: Dict = await send('GET', `/api/${path}/import/?after=${after}&limit=${PAGE}`);
        yield* page['results'] as unknown as Held[];
        after = page['next'] as number | null;
      }
    },
    async remove(path, ids) {
      return inHalves(ids, (some) => send('DELETE', `/api/${path}/import/`, JSON.stringify({ ids: some })));
    },
    async *shown(path, ids) {
      for (const some of portionsOf(ids, PER_ADDRESS)) {
        const page = await send('GET', `/api/${path}/?limit=${PER_ADDRESS}&${some.map((id) => `id=${id}`).join('&')}`);
        yield* page['results'] as Dict[];
      }
    },
  };
}

/** The outcomes for some things; split in halves where all of them are too much for one request. */
async function inHalves<T>(things: readonly T[], ask: (some: readonly T[]) => Promise<Dict>): Promise<Outcome[]> {
  try {
    return (await ask(things))['results'] as unknown as Outcome[];
  } catch (error) {
    if (!(error instanceof Unreachable && error.status === TOO_LARGE) || things.length < 2) throw error;
    const half = Math.ceil(things.length / 2);
    return [...(await inHalves(things.slice(0, half), ask)), ...(await inHalves(things.slice(half), ask))];
  }
}

/** Ids in groups of a limited number. */
function* portionsOf(ids: Iterable<number>, most: number): Generator<number[], void> {
  let portion: number[] = [];
  for (const id of ids) {
    portion.push(id);
    if (portion.length < most) continue;
    yield portion;
    portion = [];
  }
  if (portion.length) yield portion;
}

/** The message of an error answer, without the JSON around it. */
function told(text: string): string {
  try {
    const { detail } = JSON.parse(text) as { detail?: unknown };
    if (typeof detail === 'string') return detail;
  } catch {
    // Not JSON: a proxy's page, for example.
  }
  return text.slice(0, SHOWN);
}
