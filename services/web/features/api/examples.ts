import type { Json } from '@cadastre/model';
import type { Shown } from '@cadastre/pages';

/** A field as OPTIONS describes it. */
interface Told {
  type?: string;
  required?: boolean;
  read_only?: boolean;
  choices?: { value: Json }[];
}
export type Fields = Record<string, Told>;

const UPLOAD = 'image upload';

/** The fields that take a file, which JSON cannot represent. */
export const filesIn = (fields: Fields): string[] =>
  Object.entries(fields).flatMap(([name, told]) => (told.type === UPLOAD && !told.read_only ? [name] : []));

const EXAMPLES: Record<string, Json> = {
  integer: 0,
  float: 0,
  decimal: 0,
  boolean: false,
  list: [],
  'nested object': 1,
  field: 1,
};

/** A possible value of a field. */
const exampleOf = ({ type = 'string', choices }: Told): Json =>
  choices?.length ? choices[0]!.value : (EXAMPLES[type] ?? '');

/** The least that a new object needs. */
export const created = (fields: Fields): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, told]) =>
      told.required && !told.read_only && told.type !== UPLOAD ? [[name, exampleOf(told)] as const] : [],
    ),
  );

/** An object in the form in which it can be written back: related objects as ids, choices as values. */
export const written = (object: Shown, fields: Fields): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, told]) =>
      told.read_only || told.type === UPLOAD || object[name] === undefined
        ? []
        : [[name, given(object[name]!)] as const],
    ),
  );

function given(value: Json): Json {
  if (Array.isArray(value)) return value.map(given);
  if (typeof value !== 'object' || value === null) return value;
  if ('value' in value && 'label' in value) return value['value']!;
  if (typeof value['id'] === 'number' && 'url' in value) return value['id'];
  return value;
}
