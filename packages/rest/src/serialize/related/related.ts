import {
  arrayItems,
  type Batched,
  type Catalogue,
  type Cell,
  columnName,
  type Field,
  type Form,
  type Model,
  type Owned,
  quote,
  type Reverse,
  viewOf,
} from '@cadastre/model';
import { Brief } from '../../cache/cache.ts';
import { printCustomFields, relatedInCustomFields } from '../../cache/customFieldDefinitions.ts';
import { idsIn, rowsOf } from '../../db/sql.ts';
import { batchedLinks, batchedTexts, linksText } from './batched.ts';
import { hiddenAmong } from './hidden.ts';
import { displaysAt } from './displays.ts';
import { shownOver } from '../../cache/embedders.ts';
import { loadThroughCache } from '../../cache/loadThroughCache.ts';
import { selectList, wholeIndex } from '../../db/select.ts';
import { BASE_MARK, formWriter, isRemote, remoteBriefs } from './remoteBriefs.ts';
import { HIDES_ALL } from '../../visibility/visibility.ts';
import type { ReadContext } from './readContext.ts';
import { UnionBatcher } from '../../db/batch/unionBatcher.ts';
import { compileNamed, type Need, NOTHING, type Related, type Writer } from '../writer.ts';
import { reverseSql } from './reverse.ts';
import { byDisplay, sortedIds, listOf, sortLists, sortLater, type ListsToSort } from './sortedLists.ts';
import { changedInTransaction, isUnchangedInTransaction } from './changedInTransaction.ts';
import { type ByForm, type Gathered, nothing } from './gathered.ts';

/** Looks up all that the rows of a writer refer to: what is not remembered, by one statement per kind. */
export async function loadRelated(
  readContext: ReadContext,
  model: Model,
  writer: Writer,
  rows: Cell[][],
): Promise<(base: string) => Related> {
  const gathered = nothing();
  await gather(readContext, model, writer.needs, rows, gathered);
  const definitions = readContext.definitions;
  return (base) => {
    const related: Related = {
      base,
      brief: (type, form, id) => gathered.briefs[form]?.get(type)?.get(id)?.at(base) ?? 'null',
      sortedIds: (type, cell) => sortedIds(gathered.lists.get(type), cell),
      reverse: (key, id, empty) => {
        const text = gathered.reverse.get(key)?.get(id);
        // Only a list holds addresses.
        return text === undefined ? empty : empty === '0' ? text : text.replaceAll(BASE_MARK, base);
      },
      batched: (key, batch, id) =>
        gathered.batched.get(key)?.get(id) ??
        linksText(batch, gathered.links.get(key)?.get(id), related) ??
        batch.empty,
      isHidden: gathered.hides,
      display: (key, id) => gathered.displays.get(key)?.get(id) ?? null,
      customFields: (type, cell) =>
        printCustomFields(definitions.of(type), cell, {
          brief: (to, id) => related.brief(to, 'brief', id),
          inOrder: (to, ids) =>
            readContext.tables.has(to)
              ? related.sortedIds(to, listOf(ids))
              : byDisplay(ids, gathered.briefs.brief?.get(to)),
        }),
    };
    return related;
  };
}

async function gather(
  readContext: ReadContext,
  model: Model,
  needs: Need[],
  rows: Cell[][],
  into: Gathered,
): Promise<void> {
  const hides = (into.hides = await hiddenAmong(readContext, needs, rows));
  const wanted: ByForm<Set<string>> = {};
  const wantedOf = (type: string, form: Form): Set<string> => {
    const types = (wanted[form] ??= new Map<string, Set<string>>());
    let ids = types.get(type);
    if (!ids) types.set(type, (ids = new Set()));
    return ids;
  };
  const jobs: (() => Promise<void>)[] = [];
  const counts: (() => Promise<void>)[] = [];
  const lists: ListsToSort = new Map();
  const together = new UnionBatcher(readContext.executor);
  const texts = new Map<string, { type: string; rest: string; ids: Set<string> }>();
  for (const need of needs) {
    if (need.kind === 'reverse')
      (need.field.reverse!.as === 'count' ? counts : jobs).push(() =>
        gatherReverse(
          readContext,
          model,
          need.key,
          need.field,
          rows.map((r) => r[need.at]!),
          into,
          together,
        ),
      );
    else if (need.kind === 'batched')
      jobs.push(() =>
        gatherBatched(
          readContext,
          model,
          need.key,
          need.batch,
          rows.map((r) => r[need.at]!),
          into,
        ),
      );
    else if (need.kind === 'display') {
      for (const cells of rows) {
        const start = need.start(cells);
        if (!start || (need.about && hides(start.type, start.id))) continue;
        const key = `${start.type} ${need.rest}`;
        const known = texts.get(key);
        if (known) known.ids.add(start.id);
        else texts.set(key, { type: start.type, rest: need.rest, ids: new Set([start.id]) });
      }
    } else if (need.kind === 'one') {
      const ids = wantedOf(need.type, need.form);
      for (const cells of rows) {
        const id = cells[need.at];
        if (id) ids.add(id);
      }
    } else if (need.kind === 'many') {
      const ids = wantedOf(need.type, need.form);
      for (const cells of rows) {
        const cell = cells[need.at];
        if (cell && cell !== '{}') for (const id of arrayItems(cell)) ids.add(id);
        sortLater(lists, need.type, cell!);
      }
    } else if (need.kind === 'generic') {
      for (const cells of rows)
        if (cells[need.typeAt] && cells[need.at] && !(need.about && hides(cells[need.typeAt]!, cells[need.at]!)))
          wantedOf(cells[need.typeAt]!, need.form).add(cells[need.at]!);
    } else if (need.kind === 'customFields')
      for (const cells of rows) {
        const cell = cells[need.at];
        if (cell && cell !== '{}')
          for (const [type, ids] of relatedInCustomFields(readContext.definitions.of(model.name), cell)) {
            for (const id of ids) wantedOf(type, 'brief').add(id);
            sortLater(lists, type, listOf(ids));
          }
      }
  }
  for (const [form, types] of Object.entries(wanted) as [Form, Map<string, Set<string>>][])
    for (const [type, ids] of types)
      if (ids.size) jobs.push(() => gatherBriefs(readContext, type, form, [...ids], into));
  if (lists.size)
    jobs.push(async () => {
      into.lists = await sortLists(readContext, lists);
    });
  for (const [key, { type, rest, ids }] of texts)
    jobs.push(async () => {
      into.displays.set(key, await displaysAt(readContext, type, rest, [...ids]));
    });
  // A transaction has one connection, which does one thing at a time.
  if (readContext.keep) await Promise.all([...counts, ...jobs].map((job) => job()));
  else {
    await Promise.all(counts.map((job) => job()));
    for (const job of jobs) await job();
  }
}

async function gatherBatched(
  readContext: ReadContext,
  model: Model,
  key: string,
  batch: Batched,
  ids: string[],
  into: Gathered,
): Promise<void> {
  if (!batch.links) {
    into.batched.set(key, await batchedTexts(readContext, model, key, batch, ids));
    return;
  }
  const links = await batchedLinks(readContext, model, key, batch, ids);
  const { form } = batch.links;
  into.links.set(key, links);
  for (const [type, found] of Map.groupBy([...links.values()].flat(), (link) => link.type))
    await gatherBriefs(readContext, type, form, [...new Set(found.map(({ id }) => id))], into);
}

async function gatherBriefs(
  readContext: ReadContext,
  type: string,
  form: Form,
  ids: string[],
  into: Gathered,
): Promise<void> {
  const { tables, cache } = readContext;
  if (!tables.catalogue.has(type)) return;
  const types = (into.briefs[form] ??= new Map<string, Map<string, Brief>>());
  const texts = types.get(type) ?? new Map<string, Brief>();
  types.set(type, texts);
  const told = isRemote(tables, tables.catalogue.get(type), form);
  const found = told
    ? await remoteBriefs(readContext, type, ids)
    : await loadThroughCache(
        readContext,
        `${type} ${form}`,
        cache.briefs(type, form),
        ids,
        (missing) => loadBriefs(readContext, type, form, missing),
        { bypass: changedInTransaction(readContext, type), committed: isUnchangedInTransaction(readContext, type) },
      );
  for (const [id, brief] of found) texts.set(id, brief);
}

/** JSON texts of the brief forms of objects, without the address of the server. */
export async function briefTexts(
  readContext: ReadContext,
  type: string,
  ids: string[],
): Promise<ReadonlyMap<string, string>> {
  const into = nothing();
  await gatherBriefs(readContext, type, 'brief', ids, into);
  return new Map([...(into.briefs.brief?.get(type) ?? [])].map(([id, brief]) => [id, brief.at('')]));
}

async function loadBriefs(
  readContext: ReadContext,
  type: string,
  form: Form,
  ids: string[],
): Promise<Map<string, Brief>> {
  const { tables, executor } = readContext;
  const model = tables.catalogue.get(type);
  const writer = formWriter(tables.catalogue, model, form);
  const rows = await rowsOf(executor, {
    text: `select ${selectList(tables, model, writer.columns)} from ${tables.nameOf(type)} t where t.id = ${idsIn('$1')}`,
    values: [ids],
  });
  const changed = readContext.changed?.get(type);
  const there = new Set(rows.map(([id]) => id));
  if (changed)
    for (const id of ids) {
      const cells = changed.get(id);
      if (cells && !there.has(id)) rows.push(writer.columns.map((c) => cells[wholeIndex(model).get(c)!] ?? null));
    }
  const related = (await loadRelated({ ...readContext, visibility: HIDES_ALL }, model, writer, rows))(BASE_MARK);
  return new Map(rows.map((cells) => [cells[0]!, new Brief(writer.print(cells, related).split(BASE_MARK))]));
}

async function gatherReverse(
  readContext: ReadContext,
  model: Model,
  key: string,
  field: Field,
  ids: string[],
  into: Gathered,
  together: UnionBatcher,
): Promise<void> {
  const { tables, cache } = readContext;
  const reverse = field.reverse!;
  const texts = into.reverse.get(key) ?? new Map<string, string>();
  into.reverse.set(key, texts);
  const empty = NOTHING[reverse.as];
  const shown = reverse.from === '*' || (tables.catalogue.has(reverse.from) && tables.has(reverse.from));
  if (!shown) return;
  const over = [...shownOver(tables.catalogue, field), ...(reverse.cumulative ? [model.name] : [])];
  const region = cache.region<string>(key, over);
  if (field.owned) {
    const list = field.owned;
    const found = await loadThroughCache(
      readContext,
      key,
      region,
      ids,
      (missing) => printOwned(readContext, list, missing),
      {
        uncacheable: true,
      },
    );
    for (const id of ids) texts.set(id, found.get(id) ?? empty);
    return;
  }
  const none = reverse.as === 'count' ? '0' : '{}';
  const alone = bornAlone(readContext, model, reverse);
  const load = async (all: string[]) => {
    const missing = all.filter((id) => !alone?.has(id));
    if (!missing.length) return new Map(all.map((id) => [id, none] as const));
    const rows = await together.rows(reverseSql(tables, model, field), missing);
    return new Map<string, string>([
      ...all.map((id) => [id, none] as const),
      ...rows.map(([id, value]) => [id!, value!] as const),
    ]);
  };
  // Lists and counts may include what the transaction has just written.
  const bypass = reverse.as !== 'count' || over.some((type) => readContext.written?.stored.has(type));
  const found = await loadThroughCache(readContext, key, region, ids, load, { bypass });
  if (reverse.as === 'count') for (const [id, count] of found) texts.set(id, count);
  else await printLists(readContext, reverse, found, texts);
}

/**
 * Objects at which nothing points yet: the transaction has created them, and has stored nothing that could point at
 * them. No other transaction knows of them.
 */
function bornAlone(
  { tables: { catalogue }, written }: ReadContext,
  { name }: Model,
  { from }: Reverse,
): ReadonlySet<string> | undefined {
  // Parts of objects are written beside the changes.
  return written && from !== '*' && !catalogue.get(from).part && !written.stored.has(from)
    ? written.created.get(name)
    : undefined;
}

/** Lists are remembered as ids; the texts of the objects are remembered for each object, not with the lists. */
async function printLists(
  readContext: ReadContext,
  { from, form, as }: Reverse,
  lists: ReadonlyMap<string, string>,
  texts: Map<string, string>,
): Promise<void> {
  const into = nothing();
  const all = new Set([...lists.values()].flatMap((ids) => (ids === '{}' ? [] : arrayItems(ids))));
  if (all.size) await gatherBriefs(readContext, from, form, [...all], into);
  const briefs = into.briefs[form]?.get(from);
  for (const [id, ids] of lists) {
    const shown = ids === '{}' ? [] : arrayItems(ids).flatMap((i) => briefs?.get(i)?.at(BASE_MARK) ?? []);
    texts.set(id, as === 'one' ? (shown[0] ?? NOTHING.one) : `[${shown.join(',')}]`);
  }
}

/** The dictionaries of lists that are part of objects, in the order of their model. One statement for all. */
async function printOwned(readContext: ReadContext, list: Owned, owners: string[]): Promise<Map<string, string>> {
  const { tables, executor } = readContext;
  const { from, field, where } = list;
  const found = new Map<string, string>();
  const writer = rowWriter(tables.catalogue, list);
  const column = `t.${quote(columnName(field, from.fields[field]!))}`;
  const conditions = Object.keys(where).map(
    (name, i) => `t.${quote(columnName(name, from.fields[name]!))} = $${i + 2}`,
  );
  const rows = await rowsOf(executor, {
    text: `select ${column}, ${selectList(tables, from, writer.columns)} from ${tables.nameOf(from.name)} t where ${[`${column} = any($1::bigint[])`, ...conditions].join(' and ')} order by ${from.ordering
      .map((name) => `t.${quote(columnName(name, from.fields[name]!))}`)
      .concat('t.id')
      .join(', ')}`,
    values: [owners, ...Object.values(where)],
  });
  const related = (
    await loadRelated(
      readContext,
      viewOf(list),
      writer,
      rows.map(([, ...cells]) => cells),
    )
  )(BASE_MARK);
  for (const [owner, of] of Map.groupBy(rows, ([id]) => id!))
    found.set(owner, `[${of.map(([, ...cells]) => writer.print(cells, related)).join(',')}]`);
  return found;
}

const rowWriters = new WeakMap<Owned, Writer>();

function rowWriter(catalogue: Catalogue, list: Owned): Writer {
  let writer = rowWriters.get(list);
  if (!writer) rowWriters.set(list, (writer = compileNamed(catalogue, viewOf(list), Object.entries(list.members))));
  return writer;
}
