import { createHash } from 'node:crypto';
import { stringify } from 'yaml';
import { type Document, mergeOpenApi } from './openapi.ts';

export interface SchemaOptions {
  /** Where the services with a document listen. */
  targets: ReadonlyMap<string, string>;
  /** How long a merged document is used without asking the services whether theirs changed. */
  freshMs: number;
  /** How long one service may take. */
  timeoutMs: number;
}

/** The merged document, written once per change. */
export interface Schema {
  etag: string;
  json(indent?: number): string;
  yaml(): string;
}

interface Part { document: Document; etag: string | null; text: string }

/**
 * Gives the merged OpenAPI document. Services are asked again when it is older than `freshMs`, with the ETag of what
 * they said last; a service that does not answer stands in it as it was, or is named as missing when it never answered.
 */
export function schemaSource({ targets, freshMs, timeoutMs }: SchemaOptions): () => Promise<Schema> {
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
      if (text !== last?.text) parts.set(service, { document: JSON.parse(text) as Document, etag: response.headers.get('etag'), text });
      return true;
    } catch {
      return false;
    }
  }

  async function check(): Promise<Schema> {
    const answered = await Promise.all([...targets].map(([service, target]) => fetchPart(service, target)));
    const present = [...targets.keys()].filter((service) => parts.has(service)).sort();
    const missing = [...targets.keys()].filter((service) => !parts.has(service));
    const signature = createHash('sha256').update(JSON.stringify(missing));
    for (const service of present) signature.update(parts.get(service)!.text);
    const digest = signature.digest('base64url').slice(0, 22);
    if (current?.signature !== digest) {
      current = { schema: written(mergeOpenApi(present.map((service) => ({ service, document: parts.get(service)!.document })), missing), digest), signature: digest };
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

function written(document: Record<string, unknown>, digest: string): Schema {
  const json = new Map<number, string>();
  let yaml: string | undefined;
  return {
    etag: `W/"${digest}"`,
    json(indent = 0) {
      let text = json.get(indent);
      if (text === undefined) {
        text = JSON.stringify(document, null, indent);
        json.set(indent, text);
      }
      return text;
    },
    yaml() {
      yaml ??= stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 });
      return yaml;
    },
  };
}
