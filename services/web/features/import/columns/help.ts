import type { Json } from '@cadastre/model';
import { spoken } from '../../../ui/texts/speaking.ts';
import { type Columns, type FileColumn, fileColumns } from './fileColumns.ts';
import { calledBy } from './called.ts';

/** How many choices of a column are listed at most. */
const CHOICES = 60;

/** A column as the import page explains it. */
export interface ColumnHelp {
  name: string;
  label: string;
  required: boolean;
  help: string | undefined;
  choices: readonly Json[];
  /** How the objects that it names are found. */
  found: string | undefined;
}

export const helpOf = (columns: Columns): ColumnHelp[] =>
  [...fileColumns(columns.form, columns.model, columns.catalogue).values()]
    .filter(({ widget }) => widget?.kind !== 'file')
    .map((column) => ({
      name: column.name,
      label: column.label,
      required: column.required,
      help: column.help,
      choices: ['select', 'selects'].includes(column.widget?.kind ?? 'select')
        ? column.choices.slice(0, CHOICES).map(({ value }) => value)
        : [],
      found: column.naming && foundBy(column, columns),
    }));

function foundBy({ naming }: FileColumn, { catalogue }: Columns): string | undefined {
  const { texts } = spoken();
  const { of, by, among } = naming!;
  const model = catalogue.models.get(typeof of === 'string' ? of : (Object.values(of ?? {})[0] ?? ''));
  const what = by ?? (model && calledBy(model, catalogue)) ?? 'name';
  const within = Object.values(among);
  return within.length
    ? texts('importFoundWithin', { by: what, within: within.join(', ') })
    : texts('importFound', { by: what });
}
