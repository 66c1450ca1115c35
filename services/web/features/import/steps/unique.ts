import type { Catalogue, Model } from '@cadastre/model';
import type { Api } from '@cadastre/pages';
import type { Draft } from '../drafts/draft.ts';
import { askBy } from '../naming/references.ts';
import { at, type LineProblem } from '../drafts/lineProblems.ts';

export interface UniqueTexts {
  twice(line: number): string;
  taken(): string;
}

/** Fields that are unique by themselves. */
export function uniqueFields(catalogue: Catalogue, model: Model): string[] {
  const filters = catalogue.filtersOf(model);
  return Object.entries(model.fields)
    .filter(([name, { column, relation }]) => column?.unique && !relation && name in filters)
    .map(([name]) => name);
}

/**
 * Values of unique fields that occur twice in a file or exist already: a dry run has to look for them, as the database
 * reports them only when they are written.
 */
export async function sharedValues(
  api: Api,
  catalogue: Catalogue,
  model: Model,
  drafts: readonly Draft[],
  texts: UniqueTexts,
): Promise<LineProblem[]> {
  const found = await Promise.all(
    uniqueFields(catalogue, model).map((field) => inField(api, model, field, drafts, texts)),
  );
  return found.flat();
}

async function inField(
  api: Api,
  model: Model,
  field: string,
  drafts: readonly Draft[],
  texts: UniqueTexts,
): Promise<LineProblem[]> {
  const said = drafts.flatMap((draft) => {
    const value = draft.body[field];
    return typeof value === 'string' || typeof value === 'number' ? [{ draft, value: String(value) }] : [];
  });
  if (!said.length) return [];
  const there = new Set(
    (await askBy(api, model, field, [...new Set(said.map(({ value }) => value))])).map((one) => String(one[field])),
  );
  const first = new Map<string, number>();
  return said.flatMap(({ draft, value }) => {
    if (there.has(value)) return [{ ...at(draft, field), field, text: texts.taken() }];
    const before = first.get(value);
    if (before === undefined) first.set(value, draft.line);
    return before === undefined ? [] : [{ ...at(draft, field), field, text: texts.twice(before) }];
  });
}
