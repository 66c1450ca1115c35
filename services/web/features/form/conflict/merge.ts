import { createHash } from 'node:crypto';
import type { FormField } from '../fields/fields.ts';
import { instantText } from '../../../ui/time/formTimes.ts';

/** Hashes of a form's initial values, by field: enough to detect that the user has typed something else. */
export type Prints = ReadonlyMap<string, string>;

/** Fields that belong together, such as the type of an object and its id: they come from one person or the other. */
export interface Unit {
  name: string;
  label: string;
  fields: FormField[];
}

/** Who has changed a field, when two users have saved the object: only the others, only you, or both. */
type Whose = 'theirs' | 'yours' | 'both';

export interface Merged {
  name: string;
  label: string;
  whose: Whose;
  theirs: string;
  yours: string;
  fields: readonly string[];
}

/** The form does not show the value of these fields, so they cannot be compared. */
const comparable = ({ kind }: Pick<FormField, 'kind'>): boolean => kind !== 'secret' && kind !== 'file';

function unitsOf(fields: readonly FormField[]): Unit[] {
  const all = fields.filter(comparable);
  const choosers = new Set(all.flatMap(({ ofField }) => ofField ?? []));
  return all
    .filter(({ name }) => !choosers.has(name))
    .map((field) => {
      const chooser = all.find(({ name }) => name === field.ofField);
      return { name: field.name, label: field.label, fields: chooser ? [chooser, field] : [field] };
    });
}

/**
 * Values in a comparable form: independent of line endings, of the order of several values, and of the notation of
 * numbers.
 */
function plain({ kind }: FormField, values: readonly string[]): string[] {
  const texts = kind === 'checks' ? values.flatMap((one) => one.split(',')) : values;
  return texts
    .map((one) => one.replaceAll('\r\n', '\n').trim())
    .filter((one) => one !== '')
    .map((one) => (kind === 'number' && Number.isFinite(Number(one)) ? String(Number(one)) : one))
    .map((one) =>
      kind === 'datetime' ? instantText(one) : kind === 'color' ? one.replace(/^#/, '').toLowerCase() : one,
    )
    .toSorted();
}

/** The content of a field; in rows, without columns that only help to find an object. */
function contents(field: FormField): unknown {
  if (!field.rows) return plain(field, field.values);
  const { columns, helps } = field.rows;
  return (field.made ?? [])
    .slice(0, field.values.length)
    .map(({ cells }) => cells.flatMap((cell, i) => (columns[i]?.name === helps ? [] : [plain(cell, cell.values)])));
}

const textIn = ({ fields }: Unit): string => JSON.stringify(fields.map(contents));
const printOf = (unit: Unit): string => createHash('sha256').update(textIn(unit)).digest('base64url').slice(0, 10);

/** The prints that a form carries along, to detect later what was typed into it. */
export const printsText = (fields: readonly FormField[]): string =>
  unitsOf(fields)
    .map((unit) => `${unit.name}:${printOf(unit)}`)
    .join(' ');

export const printsIn = (text: string): Prints =>
  new Map(
    text.split(' ').flatMap((one): [string, string][] => {
      const [name = '', print] = one.split(':');
      return print === undefined ? [] : [[name, print]];
    }),
  );

/** A value in the words of the form. */
function shown({ fields }: Unit): string {
  return fields
    .map(({ kind, values, options, made }) => {
      if (made) return values.join('\n');
      if (kind === 'checkbox') return values.length && values[0] !== 'false' ? '✓' : '✗';
      const labels = new Map(options.map(({ value, label }) => [value, label]));
      return values
        .filter((one) => one !== '')
        .map((one) => labels.get(one) ?? one)
        .join(', ');
    })
    .filter((text) => text !== '')
    .join(' ');
}

/**
 * The differences between the present object and the form, field by field. If a field has no print of its initial
 * value, it is unknown who has changed it, so the user has to decide.
 *
 * @param open fields that the user had to decide before, and that stay open
 */
export function merged(
  began: Prints,
  yours: readonly FormField[],
  theirs: readonly FormField[],
  open: ReadonlySet<string>,
): Merged[] {
  const others = new Map(unitsOf(theirs).map((unit) => [unit.name, unit]));
  return unitsOf(yours).flatMap((unit): Merged[] => {
    const other = others.get(unit.name);
    if (!other || textIn(unit) === textIn(other)) return [];
    const before = began.get(unit.name);
    const whose =
      open.has(unit.name) || before === undefined
        ? 'both'
        : before === printOf(unit)
          ? 'theirs'
          : before === printOf(other)
            ? 'yours'
            : 'both';
    const { name, label, fields } = unit;
    return [
      { name, label, whose, theirs: shown(other), yours: shown(unit), fields: fields.map((field) => field.name) },
    ];
  });
}

/** The fields of the merged form: those that only the others have changed take their values. */
export function mergedFields(
  all: readonly Merged[],
  yours: readonly FormField[],
  theirs: readonly FormField[],
): FormField[] {
  const taken = new Set(all.flatMap(({ whose, fields }) => (whose === 'theirs' ? fields : [])));
  return yours.map((field) =>
    taken.has(field.name) ? (theirs.find(({ name }) => name === field.name) ?? field) : field,
  );
}
