import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { stringify } from 'yaml';
import { appsOf, type Document, mergeOpenApi, partOf } from './openapi.ts';

export interface SchemaOptions {
  /** Where the services with a document listen. */
  targets: ReadonlyMap<string, string>;
  /** What the gateway answers itself. */
  own?: Document;
  /** How long a merged document is used without asking the services whether theirs changed. */
  freshMs: number;
  /** How long one service may take. */
  timeoutMs: number;
}

/** In which form a client wants the document. */
export interface Wanted { format: 'json' | 'yaml'; indent?: number; app?: string | undefined }

/** The merged document. Each form of it is written once per change, and kept compressed: it is long and repeats itself. */
export interface Schema {
  etag: string;
  /** Apps with a document of their own. */
  apps: readonly string[];
  /** Its text, compressed by gzip. */
  written(wanted: Wanted): Buffer;
}

interface Part { packed: Buffer; etag: string | null; digest: string }

const digestOf = (...texts: string[]): string => texts.reduce((hash, text) => hash.update(text), createHash('sha256')).digest('base64url').slice(0, 22);
const unpacked = <T>(packed: Buffer): T => JSON.parse(gunzipSync(packed).toString()) as T;

/**
 * Gives the merged OpenAPI document. Services are asked again when it is older than `freshMs`, with the ETag of what
 * they said last; a service that does not answer stands in it as it was, or is named as missing when it never answered.
 */
export function schemaSource({ targets, own, freshMs, timeoutMs }: SchemaOptions): () => Promise<Schema> {
  const parts = new Map<string, Part>();
  let current: { schema: Schema; signature: string } | undefined;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let checking: Promise<Schema> | undefined;

  async function fetchPart(service: string, target: string): Promise<boolean> {
    const last = parts.get(service);
    try {
      // Without the second header fetch would ask for a fresh answer, which rules 304 out.
      const headers: Record<string, string> = last?.etag ? { 'if-none-match': last.etag, 'cache-control': 'max-age=0' } : {};
      const response = await fetch(new URL('/internal/openapi.json', target), { headers, signal: AbortSignal.timeout(timeoutMs) });
      if (response.status === 304) return true;
      const text = await response.text();
      if (!response.ok) return false;
      const digest = digestOf(text);
      if (digest !== last?.digest) {
        JSON.parse(text);
        parts.set(service, { packed: gzipSync(text), etag: response.headers.get('etag'), digest });
      }
      return true;
    } catch {
      return false;
    }
  }

  async function check(): Promise<Schema> {
    const answered = await Promise.all([...targets].map(([service, target]) => fetchPart(service, target)));
    const present = [...targets.keys()].filter((service) => parts.has(service)).sort();
    const missing = [...targets.keys()].filter((service) => !parts.has(service));
    const signature = digestOf(JSON.stringify(missing), ...present.map((service) => parts.get(service)!.digest));
    if (current?.signature !== signature) {
      const documents = present.map((service) => ({ service, document: unpacked<Document>(parts.get(service)!.packed) }));
      current = { schema: schemaOf(mergeOpenApi([...documents, ...(own ? [{ service: 'gateway', document: own }] : [])], missing), signature), signature };
    }
    // An incomplete round is soon tried again: the service may be starting at this moment.
    checkedAt = performance.now() - (answered.every(Boolean) ? 0 : Math.max(freshMs - 1000, 0));
    return current.schema;
  }

  return () => {
    if (current && performance.now() - checkedAt < freshMs) return Promise.resolve(current.schema);
    checking ??= check().finally(() => { checking = undefined; });
    return checking;
  };
}

function schemaOf(document: Document, digest: string): Schema {
  const whole = gzipSync(JSON.stringify(document)), apps = appsOf(document), kept = new Map<string, Buffer>([['json 0 ', whole]]);
  return {
    etag: digest, apps,
    written({ format, indent = 0, app }) {
      const key = `${format} ${indent} ${app ?? ''}`;
      let packed = kept.get(key);
      if (!packed) {
        const all = unpacked<Document>(whole), part = app === undefined ? all : partOf(all, app);
        packed = gzipSync(format === 'json' ? JSON.stringify(part, null, indent) : stringify(part, { aliasDuplicateObjects: false, lineWidth: 0 }));
        kept.set(key, packed);
      }
      return packed;
    },
  };
}
