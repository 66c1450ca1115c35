/** An OpenAPI document as far as merging looks into it. */
export interface Document {
  openapi?: string;
  paths?: Record<string, unknown>;
  components?: Record<string, Record<string, unknown>>;
  tags?: { name: string }[];
}

const info = {
  title: 'Cadastre REST API',
  version: '4.6.8',
  description:
    'The record of a network. Send a token with each request: `Authorization: Bearer svc_<key>.<token>` or `Authorization: Token <token>`. For clients that look for the prefix of NetBox the same token may be spelled `nbt_<key>.<token>`.',
};

const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A v2 token, `svc_<key>.<token>` or, for clients that look for the prefix of NetBox, `nbt_<key>.<token>`; the word `Bearer` is added for you.',
  },
  token: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'The whole header, such as `Token <token>`.',
  },
};

/**
 * Merges the documents of the services into one. Each path belongs to one service. Identical components of several
 * services are written once; if two differ under one name, the later one is prefixed with its service's name, and so
 * are the references to it within that service.
 * @param missing services whose part is not in the document; they are named in it, so that nobody takes it for complete
 */
export function mergeOpenApi(
  documents: readonly { service: string; document: Document }[],
  missing: readonly string[] = [],
): Document & Record<string, unknown> {
  const paths: Record<string, unknown> = {};
  const components: Record<string, Record<string, unknown>> = {};
  const tags = new Map<string, { name: string }>();
  for (const { service, document } of documents) {
    const renamed = clashes(service, document, components);
    const own = renamed.size === 0 ? document : rewrite(document, renamed);
    Object.assign(paths, own.paths);
    for (const [kind, named] of Object.entries(own.components ?? {})) {
      const target = components[kind] ?? {};
      components[kind] = target;
      for (const [name, component] of Object.entries(named))
        target[renamed.get(`#/components/${kind}/${name}`)?.name ?? name] ??= component;
    }
    for (const tag of own.tags ?? []) tags.set(tag.name, tag);
  }
  return {
    openapi: '3.1.0',
    info: missing.length === 0 ? info : { ...info, 'x-missing-services': [...missing].sort() },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }, { token: [] }],
    tags: sorted([...tags].map(([name, tag]) => [name, tag])).map(([, tag]) => tag),
    paths: Object.fromEntries(sorted(Object.entries(paths))),
    components: {
      ...Object.fromEntries(
        sorted(Object.entries(components)).map(([kind, named]) => [
          kind,
          Object.fromEntries(sorted(Object.entries(named))),
        ]),
      ),
      securitySchemes,
    },
  };
}

const sorted = <T>(entries: [string, T][]) => entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));

type Renamed = ReadonlyMap<string, { name: string; ref: string }>;

function clashes(
  service: string,
  { components = {} }: Document,
  taken: Record<string, Record<string, unknown>>,
): Renamed {
  const renamed = new Map<string, { name: string; ref: string }>();
  for (const [kind, named] of Object.entries(components)) {
    for (const [name, component] of Object.entries(named)) {
      const other = taken[kind]?.[name];
      if (other === undefined || JSON.stringify(other) === JSON.stringify(component)) continue;
      const own = `${service[0]?.toUpperCase()}${service.slice(1)}${name}`;
      renamed.set(`#/components/${kind}/${name}`, { name: own, ref: `#/components/${kind}/${own}` });
    }
  }
  return renamed;
}

/** The same document with its references following the new names. */
function rewrite(document: Document, renamed: Renamed): Document {
  const text = JSON.stringify(document, (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' ? (renamed.get(value)?.ref ?? value) : value,
  );
  return JSON.parse(text) as Document;
}

const appOf = (path: string): string | undefined => /^\/api\/([^/]+)\/./.exec(path)?.[1];

/** Apps that have several addresses in a document. */
export function appsOf({ paths = {} }: Document): string[] {
  const counts = new Map<string, number>();
  for (const path of Object.keys(paths)) counts.set(appOf(path) ?? '', (counts.get(appOf(path) ?? '') ?? 0) + 1);
  return [...counts]
    .filter(([app, count]) => app && count > 1)
    .map(([app]) => app)
    .sort();
}

/** A document with the addresses of one app, and the components that they need. */
export function partOf(document: Document, app: string): Document {
  const paths = Object.fromEntries(Object.entries(document.paths ?? {}).filter(([path]) => appOf(path) === app));
  const { securitySchemes } = document.components ?? {};
  const components: Record<string, Record<string, unknown>> = securitySchemes ? { securitySchemes } : {};
  const follow = (value: unknown): void => {
    if (value === null || typeof value !== 'object') return;
    const { $ref } = value as { $ref?: unknown };
    const [, kind, name] = /^#\/components\/([^/]+)\/(.+)$/.exec(typeof $ref === 'string' ? $ref : '') ?? [];
    if (kind && name && !components[kind]?.[name]) {
      const component = document.components?.[kind]?.[name];
      components[kind] = { ...components[kind], [name]: component };
      follow(component);
    }
    Object.values(value).forEach(follow);
  };
  follow(paths);
  return { ...document, paths, components };
}
