import { setTimeout as sleep } from 'node:timers/promises';
import type { Dict } from '@cadastre/model';
import pRetry, { AbortError } from 'p-retry';

/** Messages by field, as the door gives them. */
export type Messages = Record<string, unknown>;

/** What became of an object at the door. */
export interface Outcome {
  id: number;
  outcome: 'created' | 'updated' | 'unchanged' | 'deleted' | 'refused';
  /** What rules of the target say of it, although it was stored. */
  notes?: Messages;
  /** Why it was refused. */
  errors?: Messages;
}

/** An object that the target has. */
export interface Held {
  id: number;
  /** Whether it came by an import. */
  imported: boolean;
}

/** The door at the target by which objects come with their ids. Every method throws Unreachable. */
export interface Target {
  readonly name: string;
  /** @param objects as JSON texts. @returns what became of each, in their order */
  store(path: string, objects: readonly string[], dryRun: boolean): Promise<Outcome[]>;
  /** Everything that it has of a type, by ascending id. */
  held(path: string): AsyncIterable<Held>;
  remove(path: string, ids: readonly number[]): Promise<Outcome[]>;
  /** The objects of some ids, as its API shows them. */
  shown(path: string, ids: readonly number[]): Promise<Dict[]>;
}

/** The target does not answer, or refuses; the message says what to do. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
  readonly status: number | undefined;
  constructor(message: string, status?: number, cause?: unknown) {
    super(message, { cause });
    this.status = status;
  }
}

export interface TargetOptions {
  /** Of the header Authorization. */
  authorization: string;
  /** How often a request is sent again that was not answered, or with 429 or 5xx. */
  retries?: number;
  /** The first pause in milliseconds; each is twice as long as the one before, up to a minute. */
  pauseMs?: number;
  timeoutMs?: number;
}

const LONGEST_PAUSE_MS = 60_000;
const SHOWN = 300;
const PAGE = 10_000;
const PER_ADDRESS = 100;
const TOO_LARGE = 413;

export function targetAt(
  base: string,
  { authorization, retries = 8, pauseMs = 500, timeoutMs = 300_000 }: TargetOptions,
): Target {
  async function once(method: string, path: string, body?: string): Promise<Dict> {
    const answer = await fetch(base + path, {
      method,
      headers: { authorization, accept: 'application/json', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(timeoutMs),
    })
      .then(async (response) => ({
        status: response.status,
        after: response.headers.get('retry-after'),
        text: await response.text(),
      }))
      .catch((error: Error) => {
        throw new Unreachable(`${base} does not answer (${method} ${path}: ${reasonOf(error)})`, undefined, error);
      });
    if (answer.status === 200) return JSON.parse(answer.text) as Dict;
    const { status, text, after } = answer;
    const refused = new Unreachable(`${method} ${base}${path} was answered with ${status}: ${told(text)}`, status);
    if (status !== 429 && status < 500) throw new AbortError(refused);
    await sleep(after !== null && /^\d+$/.test(after) ? Math.min(Number(after) * 1000, LONGEST_PAUSE_MS) : 0);
    throw refused;
  }

  const send = (method: string, path: string, body?: string): Promise<Dict> =>
    pRetry(() => once(method, path, body), {
      retries,
      minTimeout: pauseMs,
      maxTimeout: LONGEST_PAUSE_MS,
      randomize: true,
    });

  const outcomes = (answer: Dict): Outcome[] => answer['results'] as unknown as Outcome[];

  const target: Target = {
    name: base,
    async store(path, objects, dryRun) {
      try {
        const body = `{"dry_run":${dryRun},"objects":[${objects.join(',')}]}`;
        return outcomes(await send('POST', `/api/${path}/import/`, body));
      } catch (error) {
        if (!(error instanceof Unreachable && error.status === TOO_LARGE) || objects.length < 2) throw error;
        const half = Math.ceil(objects.length / 2);
        const [one, other] = [objects.slice(0, half), objects.slice(half)];
        return [...(await target.store(path, one, dryRun)), ...(await target.store(path, other, dryRun))];
      }
    },
    async *held(path) {
      for (let after: number | null = 0; after !== null; ) {
        const page: Dict = await send('GET', `/api/${path}/import/?after=${after}&limit=${PAGE}`);
        yield* page['results'] as unknown as Held[];
        after = page['next'] as number | null;
      }
    },
    async remove(path, ids) {
      return outcomes(await send('DELETE', `/api/${path}/import/`, JSON.stringify({ ids })));
    },
    async shown(path, ids) {
      const found: Dict[] = [];
      for (let at = 0; at < ids.length; at += PER_ADDRESS) {
        const asked = ids.slice(at, at + PER_ADDRESS).map((id) => `id=${id}`);
        const page = await send('GET', `/api/${path}/?limit=${PER_ADDRESS}&${asked.join('&')}`);
        found.push(...(page['results'] as Dict[]));
      }
      return found;
    },
  };
  return target;
}

/** What an error answer says, without the JSON around it. */
function told(text: string): string {
  try {
    const { detail } = JSON.parse(text) as { detail?: unknown };
    if (typeof detail === 'string') return detail;
  } catch {
    // No JSON: a proxy's page, say.
  }
  return text.slice(0, SHOWN);
}

const reasonOf = ({ message, cause }: Error): string =>
  cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : message;
