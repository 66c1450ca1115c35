import { apiPath, type Catalogue, type Incoming, type Model, singularOf, webPath } from '@cadastre/model';
import type { Listed, Shown } from '@cadastre/pages';
import { fieldLabel, pluralLabel } from '../schema/labels.ts';
import { countFields } from '../schema/members.ts';
import { perLanguage } from '../ui/texts/speaking.ts';
import type { PageRequest } from './pageRequest.ts';
import { orNothing } from './refusals.ts';

/** Objects of a model that refer to an object by one of their fields. */
export interface Referring extends Incoming {
  label: string;
  /** Query parameters that list the objects referring to an object; undefined if there is no filter for them. */
  query(id: number): string | undefined;
  /** The page that lists them, if there is one. */
  page: string | undefined;
  /** They are parts of the object, and are deleted with it. */
  child: boolean;
}

const known = perLanguage(() => new WeakMap<Catalogue, Map<string, readonly Referring[]>>());

/** The models that refer to objects of a type, except those that can refer to any type (notes, pictures, bookmarks). */
export function referringTo(catalogue: Catalogue, type: string): readonly Referring[] {
  const catalogues = known();
  let types = catalogues.get(catalogue);
  if (!types) catalogues.set(catalogue, (types = new Map()));
  let all = types.get(type);
  if (!all) types.set(type, (all = found(catalogue, type)));
  return all;
}

function found(catalogue: Catalogue, type: string): Referring[] {
  const all = catalogue.incoming(type).filter(({ model, field: name }) => {
    const field = model.fields[name]!;
    return !field.hidden && !field.special && !model.part && !(field.generic && !field.generic.to);
  });
  return all.map((one) => {
    const { model, field, onDelete, many } = one;
    const several = all.filter((other) => other.model === model).length > 1;
    return {
      ...one,
      label: several ? `${pluralLabel(model)} (${fieldLabel(field)})` : pluralLabel(model),
      query: queryOf(catalogue, type, one),
      page: webPath(model),
      child: onDelete === 'cascade' && !many && all.find((other) => other.model === model) === one,
    };
  });
}

function queryOf(catalogue: Catalogue, type: string, { model, field: name, many }: Incoming): Referring['query'] {
  const filters = catalogue.filtersOf(model);
  const { generic } = model.fields[name]!;
  if (generic) {
    const { typeField, idField } = generic;
    const there = typeField in filters && idField in filters;
    return (id) => (there ? `${typeField}=${type}&${idField}=${id}` : undefined);
  }
  const filter = `${many ? singularOf(name) : name}_id`;
  return (id) => (filter in filters ? `${filter}=${id}` : undefined);
}

/** The field in which the API already counts these objects. */
const counted = (model: Model, { model: from, field }: Referring): string | undefined =>
  countFields(model).find(([, { reverse }]) => reverse?.from === from.name && reverse.field === field)?.[0];

/** How many objects refer to an object; undefined if the user may not see them, or if there is no filter for them. */
export async function countOf(
  { api, may }: Pick<PageRequest, 'api' | 'may'>,
  model: Model,
  object: Shown,
  one: Referring,
): Promise<number | undefined> {
  if (!(await may('view', one.model.name))) return undefined;
  const name = counted(model, one);
  if (name !== undefined && typeof object[name] === 'number') return object[name];
  const query = one.query(object.id);
  if (query === undefined) return undefined;
  return (await orNothing(api.get<Listed>(`${apiPath(one.model)}?${query}&limit=1&fields=id`)))?.count;
}

/** Form parameters with which a new object of the other model refers to this one. */
export function fillsIn(type: string, { model, field: name }: Referring, id: number): string {
  const { generic } = model.fields[name]!;
  return generic ? `${generic.typeField}=${type}&${generic.idField}=${id}` : `${name}=${id}`;
}
