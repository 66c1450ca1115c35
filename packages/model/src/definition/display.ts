import { columnName } from '../sql/columns.ts';
import type { Display, Model } from '../types/model.ts';

/** A text, and in parentheses behind it another one where there is one: `R1 (F-9)`. */
export const annotated = (column: string, aside: string): Display => ({
  columns: [column, aside],
  text: ([text, more]) => (more ? `${text} (${more})` : (text ?? '')),
});

/** The column that the rest of a chain names, when it goes no further. */
export function columnAt(model: Model, rest: string): string | undefined {
  const field = model.fields[rest];
  return field?.column && !field.relation ? columnName(rest, field) : undefined;
}

/**
 * How a chain of fields starts: the columns that hold the first object (and its type, where any may stand there), and
 * the fields after it.
 */
export interface Reach {
  column: string;
  typeColumn?: string;
  to: readonly string[] | null;
  rest: string;
}

/** The start of a chain of references and generic fields. @throws Error when the first is neither */
export function reachOf(model: Model, chain: string): Reach {
  const [name, ...more] = chain.split('.') as [string, ...string[]];
  const field = model.fields[name];
  const rest = more.join('.');
  if (field?.relation && !field.relation.many)
    return { column: columnName(name, field), to: [field.relation.to], rest };
  if (!field?.generic) throw new Error(`${model.name}: display names ${name}, which is no reference`);
  const { typeField, idField, to } = field.generic;
  const column = (of: string) => columnName(of, model.fields[of]!);
  return { column: column(idField), typeColumn: column(typeField), to: to ?? null, rest };
}
