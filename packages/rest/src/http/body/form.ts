import { type Body, NoJson } from '@cadastre/body';
import type { Dict, GivenFile, Json, Model } from '@cadastre/model';
import { probe } from '../../media/probe.ts';

/** What a form holds: its values as JSON would say them, and the files, which texts in those values stand for. */
export interface Form {
  body: Dict;
  files: Map<string, GivenFile>;
}

/** Reads `multipart/form-data`. @throws Refusal 400 for a body that is not such a form, 413 beyond a limit */
export async function formOf(
  given: Body,
  model: Model,
  maxFileBytes: number,
): Promise<{ body: Dict | undefined; files: Form['files'] }> {
  const form = await given.form();
  const files: Form['files'] = new Map();
  if (!form) return { body: undefined, files };
  const texts = new Map<string, string[]>();
  for (const [name, value] of form.fields) {
    const values = texts.get(name);
    if (values) values.push(value);
    else texts.set(name, [value]);
  }
  const body: Dict = {};
  const jsonOrText = (text: string): Json => jsonIn(given, text);
  for (const [name, values] of texts) define(body, name, valueIn(model, name, values, jsonOrText));
  for (const { field, name, bytes } of form.files) {
    const key = `file ${files.size}`;
    files.set(key, { name, bytes, image: probe(bytes, maxFileBytes) });
    define(body, field, key);
  }
  return { body, files };
}

/** Defines a member, even one with a name like `__proto__`. */
const define = (body: Dict, name: string, value: Json): void => {
  Object.defineProperty(body, name, { value, writable: true, enumerable: true, configurable: true });
};

/** A form knows texts only: the field decides how a text is read. */
function valueIn(model: Model, name: string, values: string[], jsonOrText: (text: string) => Json): Json {
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

/** A text that is not JSON stays a text; one that exceeds a limit of JSON is refused. */
function jsonIn(body: Body, text: string): Json {
  try {
    return body.jsonIn(text);
  } catch (error) {
    if (error instanceof NoJson) return text;
    throw error;
  }
}
