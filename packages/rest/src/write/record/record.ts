import { mapPaced } from '@cadastre/body';
import { appending, irrelevantToText, eventText, isoOf, newEventId, nowMicros } from '@cadastre/events';
import { type Cell, columnName, matters, members, type Model, invalidating, typeId } from '@cadastre/model';
import { textsOf } from '../../serialize/related/displays.ts';
import { loadRelated } from '../../serialize/related/related.ts';
import type { ReadContext } from '../../serialize/related/readContext.ts';
import { type Executor, plainArray, rowsOf } from '../../db/sql.ts';
import { changedSecrets, snapshotOf } from '../../serialize/snapshot.ts';
import { compileMembers, type Writer } from '../../serialize/writer.ts';
import type { Cause, Change } from '../context/change.ts';
import { rowColumns } from '../store/store.ts';
import { indexOf, readerOf } from '../../db/values.ts';
import { noteOutboxSpan } from './outboxSpan.ts';
import { ownListsOf } from './ownLists.ts';
import { loadSnapshotContext } from './snapshotContext.ts';

/** Rows of a tree that moved because one above them did. */
export const treeMoves = (model: Model, rows: Cell[][]): Change[] =>
  rows.map((after) => ({ action: 'updated', model, before: null, after, message: '', derived: true }));

/** A form over rows that hold all columns. */
interface Shape {
  writer: Writer;
  columns: readonly string[];
  index: ReadonlyMap<string, number>;
  order: number[];
}
interface Shapes {
  answer: Shape;
  event: Shape;
  created: Shape;
}
const shapes = new WeakMap<Model, Shapes>();

/**
 * The complete form: `answer` for the client that wrote, `event` without secrets for all consumers, `created` the same
 * for a new object: nothing can point at it yet, so counts are left out, except those in the brief form.
 */
export function shapesOf(readContext: Pick<ReadContext, 'tables'>, model: Model): Shapes {
  let both = shapes.get(model);
  if (!both) {
    const { catalogue } = readContext.tables;
    const columns = rowColumns(model);
    const index = indexOf(columns);
    const all = members(model, 'complete');
    const open = all.filter((name) => !model.fields[name]?.secret);
    const brief = new Set(members(model, 'brief'));
    const over = (names: readonly string[]): Shape => {
      const writer = compileMembers(catalogue, model, names);
      return { writer, columns, index, order: writer.columns.map((c) => index.get(c)!) };
    };
    shapes.set(
      model,
      (both = {
        answer: over(all),
        event: over(open),
        created: over(
          open.filter(
            (name) => model.fields[name]?.kind !== 'count' || model.fields[name].reverse?.cumulative || brief.has(name),
          ),
        ),
      }),
    );
  }
  return both;
}

/** A whole row in the order that the writer of the complete form wants. */
export const forWriter = (shape: Shape, cells: Cell[]): Cell[] => shape.order.map((i) => cells[i]!);

const STATEMENT = `with ${appending}, noted as (
  insert into request_change (request_id, type, id, created) select m.request_id, m.type, m.id, m.created
  from unnest($5::uuid[], $6::int[], $7::bigint[], $8::boolean[]) as m (request_id, type, id, created) where m.request_id is not null and m.created is not null
), seen as (
  ${invalidating('select t.type, t.id from unnest($6::int[], $7::bigint[]) as t (type, id)')}
) select min(id), max(id) from change_added`;

/**
 * Writes down what changed, in the transaction that changes it: the change records (which are the outbox), what the
 * request modified, and what other processes have to forget. One statement, whatever the number. `asOf` is when the change
 * was made that these follow from, ISO 8601, where it was made elsewhere.
 */
export async function record(
  readContext: ReadContext,
  changes: Change[],
  cause: Cause | null,
  executor: Executor,
  asOf?: string,
): Promise<void> {
  const write = await prepareRecord(readContext, changes, cause, executor, asOf);
  await write();
}

/** The same up to the statement itself, so that a caller can send it as the last of the transaction. */
export async function prepareRecord(
  readContext: ReadContext,
  changes: Change[],
  cause: Cause | null,
  executor: Executor,
  asOf?: string,
): Promise<() => Promise<void>> {
  if (!changes.length) return async () => undefined;
  const causes = changes.map((change) => change.cause ?? cause);
  const bodies = await bodiesOf({ ...readContext, changed: changedRows(changes) }, changes, causes, asOf);
  const types = changes.map((c) => typeId(c.model.name));
  const ids = changes.map((c) => (c.after ?? c.before)![0]!);
  await readContext.files?.drop(
    changes.map(({ model, before, after }) => ({
      model,
      before,
      after,
      index: shapesOf(readContext, model).event.index,
    })),
    executor,
  );
  const statement = {
    text: STATEMENT,
    values: [
      plainArray(bodies.map((b) => b.id)),
      plainArray(bodies.map((b) => b.time)),
      plainArray(changes.map((c, i) => `${c.model.name}:${ids[i]}`)),
      bodies.map((b) => b.text).join('\n'),
      plainArray(causes.map((of) => of?.id ?? null)),
      plainArray(types),
      plainArray(ids),
      plainArray(
        changes.map((c, i) =>
          c.action === 'deleted' || c.derived || causes[i]?.imported ? null : c.action === 'created',
        ),
      ),
    ],
  };
  const written = { types: new Set(types), gone: changes.some(({ action }) => action === 'deleted') };
  return async () => {
    const [span] = await rowsOf(executor, statement);
    noteOutboxSpan(executor, { first: Number(span![0]), last: Number(span![1]), ...written });
  };
}

/** What the transaction has changed or removed: the representation of one such object may contain another. */
function changedRows(changes: Change[]): ReadContext['changed'] {
  const rows = new Map<string, Map<string, Cell[]>>();
  for (const { model, before, after } of changes) {
    const cells = (after ?? before)!;
    const known = rows.get(model.name);
    if (known) known.set(cells[0]!, cells);
    else rows.set(model.name, new Map([[cells[0]!, cells]]));
  }
  return rows;
}

async function bodiesOf(
  readContext: ReadContext,
  changes: Change[],
  causes: readonly (Cause | null)[],
  asOf: string | undefined,
): Promise<{ id: string; time: string; text: string }[]> {
  const texts = new Map<Change, { data: string; display: string }>();
  const told = changes.filter((change) => !change.derived);
  const around = await loadSnapshotContext(readContext, told);
  const lists = await ownListsOf(readContext, changes);
  const shapeOf = ({ model, action }: Change): Shape =>
    shapesOf(readContext, model)[action === 'created' ? 'created' : 'event'];
  for (const [shape, alike] of Map.groupBy(told, shapeOf)) {
    const { model } = alike[0]!;
    const rows = alike.map((c) => forWriter(shape, (c.after ?? c.before)!));
    const related = (await loadRelated(readContext, model, shape.writer, rows))('');
    const displays = await textsOf(
      readContext,
      model,
      shape.index,
      alike.map((c) => (c.after ?? c.before)!),
    );
    await mapPaced(alike, (change, i) =>
      texts.set(change, { data: shape.writer.print(rows[i]!, related), display: displays[i]! }),
    );
  }
  const toldOf = memoizeLast(causeTexts);
  return mapPaced(changes, (change, i) => {
    const { request, marks } = toldOf(causes[i]!);
    const { model, before, after, action } = change;
    const shape = shapesOf(readContext, model).event;
    const cells = (after ?? before)!;
    const id = newEventId();
    const time = isoOf(nowMicros());
    const moment = change.asOf ?? asOf;
    const since = moment === undefined ? '' : `,"asOf":${JSON.stringify(moment)}`;
    const text = texts.get(change);
    const version = Number(cells[shape.index.get('_version')!]) + (action === 'deleted' ? 1 : 0);
    const secrets = changedSecrets(model, shape.index, before, after);
    const snapshot = (when: 'before' | 'after') =>
      change[when] && !change.derived
        ? snapshotOf(model, shape.index, change[when], around, {
            secrets: secrets[when],
            lists: lists(change, when),
          })
        : 'null';
    return {
      id,
      time,
      text: eventText(
        `{"id":"${id}","time":"${time}","request":${request},"action":"${action}","objectType":"${model.name}","objectId":${cells[0]},"version":${version},"display":${JSON.stringify(text?.display ?? '')},"message":${JSON.stringify(change.message)},"related":${relatedOf(model, shape.index, cells)}${marks}${since}${after ? irrelevantToText(notConcerned(readContext, model, shape.index, after)) : ''}}`,
        {
          row: after ? rowText(model, after) : 'null',
          data: text?.data ?? 'null',
          prechange: snapshot('before'),
          postchange: snapshot('after'),
        },
      ),
    };
  });
}

/** What an event says of the request that caused it: JSON, and members besides. */
function causeTexts(cause: Cause | null): { request: string; marks: string } {
  const { elsewhere, imported, ...request } = cause ?? {};
  return {
    request: cause ? JSON.stringify(request) : 'null',
    marks: `${elsewhere ? ',"consequence":true' : ''}${imported ? ',"imported":true' : ''}`,
  };
}

/** A function that reuses its last result when it is called with the same argument again. */
function memoizeLast<T, R>(make: (of: T) => R): (of: T) => R {
  let last: { of: T; made: R } | undefined;
  return (of) => (last && last.of === of ? last : (last = { of, made: make(of) })).made;
}

/**
 * The services that keep only a part of the objects, and to which this one does not matter unless they have it already.
 */
function notConcerned(
  { tables }: Pick<ReadContext, 'tables'>,
  { name }: Model,
  index: ReadonlyMap<string, number>,
  cells: Cell[],
): string[] {
  const at = (column: string): Cell => cells[index.get(column)!] ?? null;
  return tables.catalogue.partsOf(name).flatMap((part) => (matters(part, at) ? [] : [part.name]));
}

/** What the object belongs to, as JSON. */
function relatedOf({ belongsTo = [], fields }: Model, index: ReadonlyMap<string, number>, cells: Cell[]): string {
  const at = (name: string): Cell => cells[index.get(columnName(name, fields[name]!))!] ?? null;
  for (const name of typeof belongsTo === 'string' ? [belongsTo] : belongsTo) {
    const { relation, generic } = fields[name]!;
    const type = relation ? relation.to : at(generic!.typeField);
    const id = at(relation ? name : generic!.idField);
    if (type !== null && id !== null) return `{"type":${JSON.stringify(type)},"id":${id}}`;
  }
  return 'null';
}

/** One column: how its member begins, where its cell stands, and how that is printed. */
interface Printed {
  begin: string;
  at: number;
  print(cell: Cell): string;
}
const types = new WeakMap<Model, Printed[]>();

/** The raw row as JSON by column name, without secrets. */
function rowText(model: Model, cells: Cell[]): string {
  let columns = types.get(model);
  if (!columns) types.set(model, (columns = rowTypes(model)));
  return `{${columns.map(({ begin, at, print }) => begin + print(cells[at] ?? null)).join(',')}}`;
}

/** The columns that events contain, with their types, in the order of the row. */
export function eventColumns(model: Model): Readonly<Record<string, string>> {
  const secret = new Set(
    Object.entries(model.fields)
      .filter(([, f]) => f.secret || f.writeOnly)
      .map(([name, f]) => columnName(name, f)),
  );
  const byName = new Map(
    Object.entries(model.fields).flatMap(([name, f]) =>
      f.column ? [[columnName(name, f), f.column.type] as const] : [],
    ),
  );
  const own: Record<string, string> = { id: 'bigint', _version: 'integer', _path: 'bigint[]', _sort: 'text[]' };
  return Object.fromEntries(
    rowColumns(model)
      .filter((name) => !secret.has(name))
      .map((name) => [name, byName.get(name) ?? own[name] ?? 'text']),
  );
}

function rowTypes(model: Model): Printed[] {
  const columns = eventColumns(model);
  return rowColumns(model).flatMap((name, at) =>
    columns[name] === undefined ? [] : [{ begin: `"${name}":`, at, print: jsonOf(columns[name]) }],
  );
}

/** How a cell of a type is printed as JSON. */
function jsonOf(type: string): Printed['print'] {
  // PostgreSQL's text for values of these types is JSON.
  if (type === 'bigint' || type === 'integer' || type === 'smallint' || type === 'jsonb')
    return (cell) => cell ?? 'null';
  const read = readerOf(type);
  return (cell) => JSON.stringify(read(cell));
}
