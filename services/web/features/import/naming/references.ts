import { apiPath, type Catalogue, type Dict, type Model } from '@cadastre/model';
import { isDict } from '@cadastre/model';
import type { Api } from '@cadastre/pages';
import type { Shown } from '../../../context/pageRequest.ts';
import { keep } from '../drafts/drafts.ts';
import type { Draft, Named } from '../drafts/draft.ts';
import { ambiguous, missing } from './faults.ts';
import type { Row } from '../reading/rows.ts';
import { inFile } from './inFile.ts';
import { candidatesOf, liesIn, seen, textsOf, type Wanted } from './candidates.ts';
import { isNewOfExport, isOfExport } from '../drafts/exported.ts';
import { waysOf } from '../columns/called.ts';
import type { FileColumn } from '../columns/fileColumns.ts';
import { isSaid, placesOf, stagesOf, typeOf } from './order.ts';

/** The most texts in one request, as addresses have a limited length. */
const AT_ONCE = 80;
/** The most places that are searched to decide between several objects of the same name. */
const MOST_PLACES = 100;

/** The model of the rows, which may refer to each other; and the rows before them that have not been created yet. */
interface Among {
  model?: Model;
  before?: (() => AsyncIterable<readonly Row[]>) | undefined;
}

/** A reference in a row, with the objects that it may mean. */
interface Question {
  draft: Draft;
  named: Named;
  model: Model;
  /** The searches for it, in the order in which they are tried. */
  asked: readonly Wanted[];
}

/**
 * Replaces names by ids. The number of requests grows with the number of referenced types and with every eighty names,
 * not with the rows.
 */
export async function resolveNames(
  api: Api,
  catalogue: Catalogue,
  drafts: readonly Draft[],
  { model, before }: Among = {},
): Promise<void> {
  // Containers are resolved first: a rack is searched for within its site.
  for (const columns of stagesOf(drafts)) {
    const questions = drafts.flatMap((draft) =>
      draft.named.flatMap((named) =>
        columns.has(named.column.name) ? (questionOf(catalogue, draft, named) ?? []) : [],
      ),
    );
    const find = await candidatesOf(
      api,
      catalogue,
      questions.flatMap(({ asked }) => asked),
    );
    const absent: Question[] = [];
    const open: { question: Question; some: readonly Shown[] }[] = [];
    for (const question of questions) {
      const some = meant(question, find);
      if (some.length === 1) settle(question, some[0]!);
      else if (some.length) open.push({ question, some });
      else if (!(model && inFile(question.draft, question.named, question.asked, model, drafts))) absent.push(question);
    }
    await narrow(api, catalogue, open);
    const there = model && before && absent.length ? await namesBefore(absent, model, before()) : undefined;
    for (const one of absent)
      if (!there?.(one) && !isLater(one, model)) missing(one.draft, one.named, one.model, catalogue);
  }
}

/**
 * Which references mean a row further up, judged by its names; the object itself is known only once it has been
 * created.
 */
async function namesBefore(
  absent: readonly Question[],
  model: Model,
  before: AsyncIterable<readonly Row[]>,
): Promise<(one: Question) => boolean> {
  const wanted = absent.filter(({ model: type, named }) => type === model && named.column.widget?.kind === 'picker');
  const attributes = [...new Set(wanted.flatMap(({ asked }) => asked.map(({ attribute }) => attribute)))];
  const names = new Set<string>();
  if (wanted.length)
    for await (const rows of before)
      for (const { values } of rows)
        for (const attribute of attributes)
          if (isSaid(values[attribute])) names.add(`${attribute} ${String(values[attribute]).toLowerCase()}`);
  return (one) =>
    wanted.includes(one) && one.asked.some(({ attribute, text }) => names.has(`${attribute} ${text.toLowerCase()}`));
}

/** When an export is imported into an empty system, objects that are created after this one do not exist yet. */
function isLater({ draft, named: { column, into } }: Question, model: Model | undefined): boolean {
  const later = isNewOfExport(draft) && (model?.imports?.later?.includes(column.name) ?? false);
  if (later && into) draft.body[column.name] = [];
  if (later) draft.later.push(column.name);
  return later;
}

/** The searches for a reference; undefined if it is settled already, or if its type is unknown. */
function questionOf(catalogue: Catalogue, draft: Draft, named: Named): Question | undefined {
  const { column, attribute, text, id, known } = named;
  const model = catalogue.models.get(typeOf(column, draft) ?? '');
  if (!model) {
    missing(draft, named, undefined, catalogue);
    return undefined;
  }
  if (id !== undefined && text === undefined && known === undefined) {
    settle({ draft, named, model, asked: [] }, { id } as Shown);
    return undefined;
  }
  const within = { ...placesOf(column, draft, model, catalogue), ...knownPlaces(known, model, catalogue) };
  const ways = attribute === undefined ? waysOf(model, catalogue, column.naming!.by) : [attribute];
  const texts = ways.flatMap((way): [string, string][] => {
    const said = known ? textsOf(known[way])[0] : text;
    return said === undefined ? [] : [[way, known && typeof known[way] === 'string' ? String(known[way]) : said]];
  });
  const asked = texts.map(([way, said]): Wanted => ({ model, attribute: way, text: said, within }));
  if (id !== undefined) asked.unshift({ model, attribute: 'id', text: String(id), within });
  return { draft, named, model, asked };
}

/** The places of a known object by their names, as ids may be those of another system. */
function knownPlaces(known: Dict | undefined, model: Model, catalogue: Catalogue): Record<string, string> {
  const filters = catalogue.filtersOf(model);
  return Object.fromEntries(
    Object.entries(known ?? {}).flatMap(([name, value]): [string, string][] => {
      const to = catalogue.models.get(model.fields[name]?.relation?.to ?? '');
      const key = to?.key;
      const said = isDict(value) && key !== undefined ? value[key] : undefined;
      return typeof said === 'string' && name in filters ? [[name, said]] : [];
    }),
  );
}

/** The objects that a reference may mean: the results of the first search that has any. */
function meant({ draft, named, asked }: Question, find: (one: Wanted) => readonly Shown[]): readonly Shown[] {
  const [first, ...others] = asked;
  if (first?.attribute === 'id' && named.id !== undefined) {
    const [object] = find(first);
    // In another system the id may be another object's, so the name has to match, or the row must be an export of the
    // very object.
    if (object && (isCalled(object, named, others) || (named.known && isOfExport(draft)))) return [object];
  }
  for (const one of asked.slice(named.id === undefined ? 0 : 1)) {
    const some = find(one);
    if (!some.length) continue;
    const exact = some.filter((object) => String(object[one.attribute]) === one.text);
    return exact.length ? exact : some;
  }
  return [];
}

const isCalled = (object: Shown, { text, known }: Named, ways: readonly Wanted[]): boolean =>
  ways.some(({ attribute, text: said }) => textsOf(object[attribute]).includes(said.toLowerCase())) ||
  object.display === (known?.['display'] ?? text);

function settle({ draft, named: { column, into }, model }: Question, object: Shown): void {
  const { widget, declared, pair, name } = column;
  const { id } = object;
  if (into) {
    into.row[into.member] = id;
    return;
  }
  draft.found[name] = { id, type: model.name, object };
  if (widget) {
    keep(draft, widget, widget.kind === 'pickers' ? [widget.name === 'tags' ? { id } : id] : id);
    return;
  }
  const more =
    declared?.puts?.(id, saidIn(draft)) ?? (pair ? { [pair.typeField]: model.name, [pair.idField]: id } : {});
  Object.assign(draft.body, more);
  for (const member of Object.keys(more)) draft.from[member] = name;
  if (declared?.marks) draft.marks[name] = true;
}

/** Empty cells are left out. */
const saidIn = ({ said }: Draft): Dict => Object.fromEntries(Object.entries(said).filter(([, value]) => isSaid(value)));

/**
 * Of several objects, settles on the one that fits the place of the row best; if that is not unique, reports the
 * candidates.
 */
async function narrow(
  api: Api,
  catalogue: Catalogue,
  open: readonly { question: Question; some: readonly Shown[] }[],
): Promise<void> {
  const places = new Map<string, { model: Model; within: Record<string, number>; texts: Set<Wanted> }>();
  for (const { question } of open) {
    const { named, draft, model, asked } = question;
    for (const [filter, id] of Object.entries(placesOf(named.column, draft, model, catalogue, 'rather'))) {
      if (filter.endsWith('_id')) continue;
      const key = `${model.name} ${filter} ${id}`;
      if (!places.has(key) && places.size < MOST_PLACES)
        places.set(key, { model, within: { [filter]: Number(id) }, texts: new Set() });
      for (const one of asked) places.get(key)?.texts.add(one);
    }
  }
  const there = new Map<string, Set<number>>();
  for (const [key, { texts, within }] of places) {
    const wanted = [...texts].map((one): Wanted => ({ ...one, within }));
    const find = await candidatesOf(api, catalogue, wanted);
    there.set(key, new Set(wanted.flatMap((one) => find(one).map(({ id }) => id))));
  }
  for (const { question, some } of open) {
    const left = rather(question, some, there, catalogue);
    if (left.length === 1) settle(question, left[0]!);
    else ambiguous(question.draft, question.named, left);
  }
}

function rather(
  { draft, named, model }: Question,
  all: readonly Shown[],
  there: ReadonlyMap<string, ReadonlySet<number>>,
  catalogue: Catalogue,
): readonly Shown[] {
  const { column, known } = named;
  let some = all;
  const only = (fits: (one: Shown) => boolean): void => {
    const fitting = some.length > 1 ? some.filter(fits) : [];
    if (fitting.length) some = fitting;
  };
  for (const [filter, id] of Object.entries(placesOf(column, draft, model, catalogue, 'rather'))) {
    if (!filter.endsWith('_id')) {
      const ids = there.get(`${model.name} ${filter} ${id}`);
      only((one) => ids?.has(one.id) ?? false);
      continue;
    }
    const before = some.length;
    only((one) => liesIn(one, { [filter]: id }));
    if (some.length === before) only((one) => one[filter.slice(0, -3)] === null);
  }
  only((one) => known?.['display'] === one.display);
  only((one) => isHeld(draft, column, one));
  return some;
}

/** Whether the object that the row changes refers to this object already. */
function isHeld({ before }: Draft, { name, pair }: FileColumn, { id }: Shown): boolean {
  if (!before) return false;
  const held = pair ? { id: before[pair.idField] ?? null } : before[name];
  return [held].flat().some((one) => isDict(one) && one['id'] === id);
}

/** The objects for which an attribute has one of these values. */
export async function askBy(
  api: Api,
  model: Model,
  attribute: string,
  names: readonly string[],
  members: readonly string[] = [],
): Promise<Shown[]> {
  const all: Shown[] = [];
  for (let at = 0; at < names.length; at += AT_ONCE) {
    const query = new URLSearchParams({ limit: '1000', fields: ['id', 'display', attribute, ...members].join(',') });
    for (const name of names.slice(at, at + AT_ONCE)) query.append(attribute, name);
    for (let start: string | null = '0'; start !== null; ) {
      query.set('start', start);
      const { results, next } = await seen(api, `${apiPath(model)}?${query}`);
      all.push(...results);
      start = next === null ? null : new URL(next, 'http://local').searchParams.get('start');
    }
  }
  return all;
}
