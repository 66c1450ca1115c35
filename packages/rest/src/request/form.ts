import { Readable } from 'node:stream';
import busboy from 'busboy';
import type { Dict, GivenFile, Json, Model } from '@cadastre/model';
import { refuse } from '../errors.ts';
import { probe } from '../media/probe.ts';

/** What a form holds: its values as JSON would say them, and the files, which texts in those values stand for. */
export interface Form {
  body: Dict;
  files: Map<string, GivenFile>;
}

/** The most parts of a form. */
const MAX_PARTS = 1000;

export const isForm = (contentType: string | undefined): boolean =>
  /^\s*multipart\/form-data\s*(;|$)/i.test(contentType ?? '');

/** Reads `multipart/form-data`. @throws Refusal 400 for what is none */
export async function parseForm(bytes: Buffer, contentType: string, model: Model, maxFileBytes: number): Promise<Form> {
  const { texts, files: given } = await partsOf(bytes, contentType);
  const files = new Map<string, GivenFile>();
  const body: Dict = {};
  for (const [name, values] of texts) body[name] = valueIn(model, name, values);
  for (const { field, name, content } of given) {
    const key = `file ${files.size}`;
    files.set(key, { name, bytes: content, image: probe(content, maxFileBytes) });
    body[field] = key;
  }
  return { body, files };
}

interface Parts {
  texts: Map<string, string[]>;
  files: { field: string; name: string; content: Buffer }[];
}

function partsOf(bytes: Buffer, contentType: string): Promise<Parts> {
  return new Promise((resolve, reject) => {
    const wrong = (why: string) => reject(refuse(400, `Multipart form parse error - ${why}`));
    const parts: Parts = { texts: new Map(), files: [] };
    let parser: busboy.Busboy;
    try {
      parser = busboy({
        headers: { 'content-type': contentType },
        defParamCharset: 'utf8',
        limits: { parts: MAX_PARTS, fieldSize: bytes.length, fileSize: bytes.length + 1 },
      });
    } catch (error) {
      return wrong((error as Error).message);
    }
    parser.on('field', (name, value) => {
      const values = parts.texts.get(name);
      if (values) values.push(value);
      else parts.texts.set(name, [value]);
    });
    parser.on('file', (field, stream, { filename }) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('error', (error: Error) => wrong(error.message));
      stream.on('close', () => parts.files.push({ field, name: filename ?? '', content: Buffer.concat(chunks) }));
    });
    parser.on('partsLimit', () => wrong(`more than ${MAX_PARTS} parts`));
    parser.on('error', (error) => wrong((error as Error).message));
    parser.on('close', () => resolve(parts));
    Readable.from([bytes]).pipe(parser);
  });
}

/** A form knows texts only: what the field is for says what is meant. */
function valueIn(model: Model, name: string, values: string[]): Json {
  const field = Object.hasOwn(model.fields, name) ? model.fields[name] : undefined;
  const last = values.at(-1)!;
  if (!field?.column) return ['add_tags', 'remove_tags'].includes(name) ? values.map(jsonOrText) : last;
  if (field.special === 'customFields' || field.column.type === 'jsonb') return jsonOrText(last);
  if (field.column.type.endsWith('[]'))
    return values.length === 1 && last.trim().startsWith('[')
      ? jsonOrText(last)
      : values.map(field.relation ? jsonOrText : (text) => text);
  if (field.relation) return last === '' && field.nullable ? null : jsonOrText(last);
  return last === '' && field.nullable && field.column.nullable ? null : last;
}

function jsonOrText(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
