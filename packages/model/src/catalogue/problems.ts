import { showsAbout } from '../definition/about.ts';
import { reachOf } from '../definition/display.ts';
import { partsOf, searchPlace } from '../filters/filter.ts';
import { columnsOf, orderTerm } from '../sql/columns.ts';
import type { Filter } from '../types/filter.ts';
import type { Model } from '../types/model.ts';
import { nameAmong, rulesWithout } from './deletions.ts';
import type { Models } from './models.ts';

type Problems = Generator<string, void>;

/** Contradictions in a declaration, such as names of fields that do not exist. */
export function* problemsOf(declared: Models, model: Model): Problems {
  yield* ofNames(model);
  yield* ofSearch(declared, model);
  yield* ofUnique(model);
  yield* ofOwnership(model);
  yield* ofDisplay(model);
  for (const name of Object.keys(model.fields)) yield* ofField(declared, model, name);
  for (const [name, filter] of Object.entries(declared.filtersOf(model)))
    for (const part of partsOf(filter)) yield* ofFilter(declared, model, name, part);
  yield* ofReads(declared, model);
  if (model.tree && model.fields['parent']?.relation?.to !== model.name)
    yield 'a tree needs a field parent that refers to itself';
}

const isColumn = (model: Model, field: string): boolean => model.fields[field]?.column !== undefined;

/** The fields of the brief and nested forms, and those that lists are ordered by. */
function* ofNames(model: Model): Problems {
  const ordered = model.ordering.map((term) => orderTerm(model, term).field);
  for (const name of [...model.brief, ...(model.nested ?? []), ...ordered])
    if (!(name in model.fields) && name !== 'id' && !(model.tree && name === '_path'))
      yield `there is no field ${name}`;
}

function* ofSearch(declared: Models, model: Model): Problems {
  for (const name of model.search) {
    const { path, field } = searchPlace(name);
    const found = path.length ? declared.models.get(declared.steps(model, path)?.at(-1)?.to ?? '') : model;
    if (found && !isColumn(found, field)) yield `search names ${name}, which is no column`;
  }
}

function* ofUnique(model: Model): Problems {
  for (const { fields } of model.unique)
    for (const name of fields) if (!isColumn(model, name)) yield `unique names ${name}, which is no column`;
  for (const [name, { generic, relation }] of Object.entries(model.fields)) {
    if (!(relation || generic) || relation?.onDelete === 'cascade') continue;
    for (const { fields } of rulesWithout(model, name))
      if (!nameAmong(model, fields))
        yield `unique names ${fields.join(', ')}, none of which tells objects apart that lose their ${name}`;
  }
}

/** Who owns the objects (`private`), and what they (`about`) and their change records (`belongsTo`) are about. */
function* ofOwnership(model: Model): Problems {
  const { about, fields } = model;
  if (
    model.private &&
    (fields[model.private.user]?.relation?.many !== false || fields[model.private.unless]?.column?.type !== 'boolean')
  )
    yield 'private names a reference to a user and a boolean';
  for (const name of about ? [about.type, about.id, ...(about.tells ?? [])] : [])
    if (!isColumn(model, name) && !(fields[name]?.batched && about!.tells?.includes(name)))
      yield `about names ${name}, which is no column`;
  for (const name of [model.belongsTo ?? []].flat())
    if (fields[name]?.relation?.many !== false && !fields[name]?.generic)
      yield `belongsTo names ${name}, which refers to no object`;
}

/** @throws Error when the display text uses a chain of fields that leads nowhere */
function* ofDisplay(model: Model): Problems {
  for (const column of model.display.columns)
    if (!columnsOf(model).some((c) => c.name === column)) yield `display names ${column}, which is no column`;
  for (const chain of model.display.related ?? []) reachOf(model, chain);
}

function* ofField(declared: Models, model: Model, name: string): Problems {
  const { firstOf = [], generic, reverse, reached } = model.fields[name]!;
  for (const one of firstOf) if (!model.fields[one]?.relation) yield `${name} shows ${one}, which is no reference`;
  if (generic) {
    for (const at of [generic.typeField, generic.idField]) {
      if (!isColumn(model, at)) yield `${name} names ${at}, which is no column`;
      if (generic.onDelete === 'setNull' && !model.fields[at]!.nullable)
        yield `${name} cannot become empty, as ${at} must be given`;
    }
    if (!generic.to && !showsAbout(model, generic))
      yield `${name} may point at an object of any type, and about does not say so`;
  }
  for (const path of reached?.paths ?? []) {
    const steps = declared.steps(model, path);
    if (steps && (steps.at(-1)!.to !== reached!.to || steps.some((s) => s.backwards || s.many)))
      yield `${name} does not reach one ${reached!.to} by ${path.join('.')}`;
  }
  const source = reverse && declared.models.get(reverse.from);
  const by = source?.fields[reverse!.field];
  if (source && !by?.relation && !by?.reached && !by?.generic)
    yield `${name} counts ${source.name} by ${reverse!.field}, which is no relation`;
}

function* ofFilter(declared: Models, model: Model, name: string, filter: Filter): Problems {
  if (
    (filter.kind === 'column' || filter.kind === 'typeId' || filter.kind === 'keyed') &&
    filter.field !== 'id' &&
    !isColumn(model, filter.field) &&
    model.fields[filter.field]?.reverse?.as !== 'count'
  )
    yield `filter ${name} names ${filter.field}, which is no column`;
  if (filter.kind !== 'related' && filter.kind !== 'through') return;
  const target = declared.models.get(declared.steps(model, filter.path)?.at(-1)?.to ?? '');
  const at = filter.kind === 'through' ? filter.field : filter.by;
  if (target && at !== undefined && at !== 'id' && !isColumn(target, at))
    yield `filter ${name} names ${at} of ${target.name}, which is no column`;
}

/** The columns of other models that rules and effects look at. */
function* ofReads(declared: Models, model: Model): Problems {
  for (const [type, names] of Object.entries(model.reads ?? {}))
    for (const name of names)
      if (declared.has(type) && !isColumn(declared.get(type), name))
        yield `reads names ${name} of ${type}, which is no column`;
}
