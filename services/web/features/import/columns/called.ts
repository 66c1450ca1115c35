import type { Catalogue, Model } from '@cadastre/model';

/** Names of objects that are common to many types. */
const USUAL = ['name', 'slug', 'username'];

/**
 * Kinds of attributes that can name an object; a position or a size does not, though it may be part of the display
 * name.
 */
const SAID = new Set(['text', 'slug', 'ipAddress', 'network', 'macaddr', 'email']);

/**
 * The attribute by which objects of a type are found first: the declared one, else the name, else a part of the display
 * name.
 */
export const calledBy = (model: Model, catalogue: Catalogue): string | undefined => {
  const filters = catalogue.filtersOf(model);
  return [model.imports?.called, 'name', ...model.display.columns, 'username', model.key].find(
    (name) =>
      name !== undefined && name !== 'id' && name in model.fields && name in filters && !model.fields[name]!.relation,
  );
};

/**
 * The attributes that may name an object, in the order in which they are tried. `first` is the attribute of the column.
 */
export function waysOf(model: Model, catalogue: Catalogue, first: string | undefined): string[] {
  const filters = catalogue.filtersOf(model);
  const own = calledBy(model, catalogue);
  const others = [...USUAL, model.key ?? 'name', ...model.display.columns].filter(
    (name) => name in model.fields && name in filters && SAID.has(model.fields[name]!.kind),
  );
  return [...new Set([first ?? own ?? 'id', ...(own === undefined ? [] : [own]), ...others])];
}
