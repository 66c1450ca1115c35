import { bodyLimits, type JsonLimits, NoJson, Refusal, readJson } from '@cadastre/body';
import type { Json } from './json.ts';
import { ANSWER_MAX_BYTES, type RequestOptions, requestsTo, SHOWN } from './requests.ts';

/** Reads the API of an installation, ours or NetBox. */
export interface Reader {
  /** Its address, without a slash at the end. */
  base: string;
  /** @param path with its query, beginning with `/api/`. @throws Unreadable when no attempt is answered */
  get(path: string): Promise<Json>;
  /** The bytes of an uploaded file; undefined if it is refused or missing. @throws Unreadable as `get` does */
  file(path: string): Promise<Buffer | undefined>;
}

/** A list or object that could not be read; the message says where, how often it was tried, and what was answered. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
  readonly status: number | undefined;
  constructor(message: string, status?: number, cause?: unknown) {
    super(message, { cause });
    this.status = status;
  }
}

export function readerOf(base: string, options: RequestOptions): Reader {
  const send = requestsTo(base, options, {
    failure: (message, status, cause) => new Unreadable(message, status, cause),
    told: (text) => text.slice(0, SHOWN),
  });
  return {
    base,
    async get(path) {
      const bytes = await send('GET', path);
      try {
        return (await readJson(bytes, ANSWER)) as Json;
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const what =
          error instanceof NoJson ? 'something that is no JSON' : `JSON that is not read here (${saidBy(error)})`;
        throw new Unreadable(`GET ${base}${path} was answered with ${what}: ${bytes.toString('utf8', 0, SHOWN)}`);
      }
    },
    async file(path) {
      try {
        return await send('GET', `/media/${path.split('/').map(encodeURIComponent).join('/')}`);
      } catch (error) {
        if (error instanceof Unreadable && error.status !== undefined && isRefusal(error.status)) return undefined;
        throw error;
      }
    },
  };
}

/**
 * The limits of one answer: much larger than those of a request, as it holds a page of whole objects; the target checks
 * each object by its own limits. An object that is nested deeper would not be stored.
 */
const ANSWER: JsonLimits = {
  ...bodyLimits.json,
  depth: 1_000,
  values: 50_000_000,
  items: 1_000_000,
  members: 1_000_000,
  name: 100_000,
  text: ANSWER_MAX_BYTES,
};

const saidBy = ({ body }: Refusal): string => (body as { detail: string }).detail;

const isRefusal = (status: number): boolean => status !== 429 && status < 500;
