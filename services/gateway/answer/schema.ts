import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip as gunzipCallback, gzip as gzipCallback } from 'node:zlib';
import type { PeerFetch } from '@cadastre/service/peer-http';
import type { Document } from './openapi.ts';
import { type SchemaThread, schemaThread } from './schema-thread.ts';

const gzip = promisify(gzipCallback);
const gunzip = promisify(gunzipCallback);

export interface SchemaOptions {
  /** The services with a document. */
  services: readonly string[];
  fetch: PeerFetch;
  /** What the gateway answers itself. */
  own?: Document;
  /** How long a merged document is used without asking the services whether theirs changed. */
  freshMs: number;
  /** How long one service may take. */
  timeoutMs: number;
}

/** In which form a client wants the document. */
interface Wanted {
  format: 'json' | 'yaml';
  app?: string | undefined;
}

/** A text that is kept compressed, as it is long and repeats itself. */
export interface Written {
  packed: Buffer;
  /** The text itself, shared by all requests that are being sent it. */
  plain(): Promise<Buffer>;
}

/**
 * The merged document. Each form of it is written once, by a thread of its own; only requests for that form wait
 * for it.
 */
export interface Schema {
  etag: string;
  /** Apps with a document of their own. */
  apps: readonly string[];
  written(wanted: Wanted): Promise<Written>;
}

export interface SchemaSource {
  /** @throws when it cannot be made */
  schema(): Promise<Schema>;
  close(): void;
}

interface Part {
  packed: Buffer;
  etag: string | null;
  digest: string;
}

const digestOf = (...texts: (string | Uint8Array)[]): string =>
  texts
    .reduce((hash, text) => hash.update(text), createHash('sha256'))
    .digest('base64url')
    .slice(0, 22);

/**
 * Provides the merged OpenAPI document. If it is older than `freshMs`, the services are asked again, with the ETag of
 * their last answer. For a service that does not answer, its last part is used; if there is none, the service is named
 * as missing.
 */
export function schemaSource({ services, fetch: ask, own, freshMs, timeoutMs }: SchemaOptions): SchemaSource {
  const parts = new Map<string, Part>();
  const thread = schemaThread();
  let current: { schema: Schema; signature: string } | undefined;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let checking: Promise<Schema> | undefined;

  async function fetchPart(service: string): Promise<boolean> {
    const last = parts.get(service);
    try {
      // Without `cache-control`, fetch would send `no-cache` because of the first header, and a service would never
      // answer 304.
      const headers: Record<string, string> = last?.etag
        ? { 'if-none-match': last.etag, 'cache-control': 'max-age=0' }
        : {};
      const response = await ask(service, '/internal/openapi.json', {
        headers,
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (response.status === 304) return true;
      const text = await response.bytes();
      if (!response.ok) return false;
      const digest = digestOf(text);
      if (digest !== last?.digest)
        parts.set(service, { packed: await gzip(text), etag: response.headers.get('etag'), digest });
      return true;
    } catch {
      return false;
    }
  }

  async function check(): Promise<Schema> {
    const answered = await Promise.all(services.map(fetchPart));
    const present = services.filter((service) => parts.has(service)).sort();
    const missing = services.filter((service) => !parts.has(service));
    const signature = digestOf(JSON.stringify(missing), ...present.map((service) => parts.get(service)!.digest));
    if (current?.signature !== signature) {
      const { packed, apps = [] } = await thread.perform({
        kind: 'merge',
        parts: present.map((service) => ({ service, packed: parts.get(service)!.packed })),
        ...(own ? { own } : {}),
        missing,
      });
      current = { schema: schemaOf(Buffer.from(packed), apps, signature, thread), signature };
    }
    // An incomplete document is soon replaced: the missing service may just be starting.
    checkedAt = performance.now() - (answered.every(Boolean) ? 0 : Math.max(freshMs - 1000, 0));
    return current.schema;
  }

  return {
    schema() {
      if (current && performance.now() - checkedAt < freshMs) return Promise.resolve(current.schema);
      checking ??= check().finally(() => {
        checking = undefined;
      });
      return checking;
    },
    close: thread.close,
  };
}

function schemaOf(whole: Buffer, apps: readonly string[], etag: string, thread: SchemaThread): Schema {
  const kept = new Map<string, Promise<Written>>([['json ', Promise.resolve(written(whole))]]);
  return {
    etag,
    apps,
    written({ format, app }) {
      const key = `${format} ${app ?? ''}`;
      const known = kept.get(key);
      if (known) return known;
      const made = thread
        .perform({ kind: 'form', whole, format, ...(app === undefined ? {} : { app }) })
        .then(({ packed }) => written(Buffer.from(packed)));
      kept.set(key, made);
      // The next request tries again what failed.
      made.catch(() => kept.delete(key));
      return made;
    },
  };
}

export function written(packed: Buffer): Written {
  let text: WeakRef<Buffer> | undefined;
  let unpacking: Promise<Buffer> | undefined;
  return {
    packed,
    plain() {
      const there = text?.deref();
      if (there) return Promise.resolve(there);
      unpacking ??= gunzip(packed)
        .then((plain) => {
          text = new WeakRef(plain);
          return plain;
        })
        .finally(() => {
          unpacking = undefined;
        });
      return unpacking;
    },
  };
}
