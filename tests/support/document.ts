import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Answer } from './client.ts';

type Schema = Record<string, unknown>;
interface Media {
  schema: Schema;
}
interface Response {
  content?: Record<string, Media>;
}
export interface Operation {
  operationId: string;
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Response | { $ref: string }>;
}
export interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> };
}

const OPEN = '~open';
const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The same document, in which dictionaries allow only the named members, unless they say what else there may be.
 */
function closed(document: Document): Document {
  const close = (value: unknown, part = false): unknown => {
    if (Array.isArray(value)) return value.map((item) => close(item));
    if (!isSchema(value)) return value;
    const inside = Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        name,
        name === 'allOf' ? (item as unknown[]).map((one) => close(one, true)) : close(item),
      ]),
    );
    // The parts of an `allOf` stay open to each other; the whole is closed.
    if (part) return typeof inside['$ref'] === 'string' ? { ...inside, $ref: inside['$ref'] + OPEN } : inside;
    const names =
      isSchema(value['properties']) &&
      !('additionalProperties' in value) &&
      (value['type'] === 'object' || Array.isArray(value['type']));
    return names || 'allOf' in value ? { ...inside, unevaluatedProperties: false } : inside;
  };
  const whole = close(document) as Document;
  const { schemas } = document.components;
  const open = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name + OPEN, close(schema, true) as Schema]),
  );
  return { ...whole, components: { ...whole.components, schemas: { ...whole.components.schemas, ...open } } };
}

const escaped = (part: string): string => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));

/** What the API document says of answers, to compare actual answers with it. */
export class Described {
  readonly document: Document;
  readonly #ajv = formats.default(new Ajv2020({ strict: false, allErrors: true }));
  readonly #patterns: { path: string; pattern: RegExp }[];

  constructor(document: Document) {
    this.document = document;
    this.#ajv.addSchema({ $id: 'api', ...closed(document) });
    // A fixed path comes before one with an id in the same place.
    const paths = Object.keys(document.paths).sort((a, b) => a.split('{').length - b.split('{').length);
    this.#patterns = paths.map((path) => ({ path, pattern: new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`) }));
  }

  pathOf(address: string): string | undefined {
    const { pathname } = new URL(address, 'http://api');
    return this.#patterns.find(({ pattern }) => pattern.test(pathname))?.path;
  }

  /**
   * How an answer differs from what the document says of it; undefined when it does not, or where the path is not
   * in the document.
   */
  difference(method: string, address: string, { status, text, headers }: Answer): string | undefined {
    const path = this.pathOf(address);
    const verb = method.toLowerCase();
    const operation = path === undefined ? undefined : this.document.paths[path]![verb];
    if (!operation) return undefined;
    const described = operation.responses[status];
    const said = `${method} ${address} ${status}`;
    if (!described) return `${said} is not documented`;
    const pointer = '$ref' in described ? described.$ref : `#/paths/${escaped(path!)}/${verb}/responses/${status}`;
    const response =
      '$ref' in described ? this.document.components.responses[described.$ref.split('/').at(-1)!]! : described;
    const type = headers.get('content-type')?.split(';')[0] ?? '';
    if (!response.content) return text === '' ? undefined : `${said} has a body`;
    if (!response.content[type] && !response.content['*/*']) return `${said} is of the type ${type || '(none)'}`;
    if (type !== 'application/json') return undefined;
    const validate = this.#ajv.getSchema(`api${pointer}/content/${escaped(type)}/schema`)!;
    if (validate(JSON.parse(text))) return undefined;
    const errors = validate
      .errors!.slice(0, 5)
      .map((e) => `${e.instancePath} ${e.message} ${JSON.stringify(e.params)}`);
    return `${said}: ${[...new Set(errors)].join('; ')}`;
  }
}

const KEPT = Symbol.for('cadastre.tests.described');
const worker = globalThis as { [KEPT]?: { text: string; described: Described } };

/**
 * The parsed document. Parsing takes seconds, and so does what is derived for each operation, so it is kept from one
 * test file to the next as long as the text is the same.
 */
export function describedBy(text: string): Described {
  if (worker[KEPT]?.text !== text) worker[KEPT] = { text, described: new Described(JSON.parse(text)) };
  return worker[KEPT].described;
}
