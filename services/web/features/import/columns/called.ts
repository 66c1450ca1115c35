import type { Catalogue, Model } from '@cadastre/model';

/** Words for objects that people use whatever the type. */
const USUAL = ['name', 'slug', 'username'];

/** Kinds of attributes by which people name an object; a position or a size is not a name, though it may be shown. */
const SAID = new Set(['text', 'slug', 'ipAddress', 'network', 'macaddr', 'email']);

/** What objects of a type are found by first: what is declared, else their name, else what they are shown as. */
export const calledBy = (model: Model, catalogue: Catalogue): string | undefined => {
  const filters = catalogue.filtersOf(model);
  return [model.imports?.called, 'name', ...model.display.columns, 'username', model.key].find(
    (name) =>
      name !== undefined && name !== 'id' && name in model.fields && name in filters && !model.fields[name]!.relation,
  );
};

/** By what an object may be named, in the order in which it is looked for. `first` is what the column is by. */
export function waysOf(model: Model, catalogue: Catalogue, first: string | undefined): string[] {
  const filters = catalogue.filtersOf(model);
  const own = calledBy(model, catalogue);
  const others = [...USUAL, model.key ?? 'name', ...model.display.columns].filter(
    (name) => name in model.fields && name in filters && SAID.has(model.fields[name]!.kind),
  );
  return [...new Set([first ?? own ?? 'id', ...(own === undefined ? [] : [own]), ...others])];
}
