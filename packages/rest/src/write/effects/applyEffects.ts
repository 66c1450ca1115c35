import type { Cell, Model } from '@cadastre/model';
import type { PoolClient } from 'pg';
import type { CustomFieldDefinitions } from '../../cache/customFieldDefinitions.ts';
import { notPermitted, refuse } from '../../core/errors.ts';
import { type Action, allowed, type Requester } from '../../core/requester.ts';
import { Binder, idsIn, rowsOf } from '../../db/sql.ts';
import type { ReadContext } from '../../serialize/related/readContext.ts';
import { constraintSql } from '../../visibility/permissions.ts';
import { visibilityFor } from '../../visibility/visibility.ts';
import type { WriteContext } from '../context/context.ts';
import type { Draft } from '../context/draft.ts';
import type { WriteEngine } from '../context/engine.ts';
import { prepareRecord, treeMoves } from '../record/record.ts';
import type { Change } from '../context/change.ts';
import { writeReverseRelations } from '../store/reverseRelations.ts';
import { updateTreePaths } from '../store/tree.ts';
import { attributeEffects } from './attribute.ts';
import { type RequestPosition, runEffects } from './effects.ts';

/** What has been stored, and how it was asked for. */
export interface StoredDrafts {
  drafts: Draft[];
  /** The rows of the drafts, in their order. */
  stored: Cell[][];
  action: Action;
  definitions: CustomFieldDefinitions;
  single: boolean;
}

/**
 * After storing: trees, permissions, the other ends of relations, effects, and the record of it all. Returns the rows as
 * they are in the end, where an answer about them comes from, and the statement that is left to be sent.
 */
export async function applyEffects(
  engine: WriteEngine,
  model: Model,
  { drafts, stored, action, definitions, single }: StoredDrafts,
  context: WriteContext,
  client: PoolClient,
): Promise<{ readContext: ReadContext; rows: Cell[][]; write: () => Promise<void> }> {
  const { rows, moved } = await updateTreePaths(engine.tables, model, stored, client);
  const ids = rows.map((cells) => Number(cells[0]));
  await checkNeeds(engine, model, drafts, ids, context.who, client);
  await checkPermitted(engine, model, ids, action, context.who, client);
  const others = await writeReverseRelations(
    engine,
    model,
    drafts.map(({ item }, i) => ({ item, id: ids[i]! })),
    client,
  );
  const changes = drafts.map(
    (draft, i): Change => ({
      action: draft.before ? 'updated' : 'created',
      model,
      before: draft.beforeCells,
      after: rows[i]!,
      message: draft.item.readMessage,
      cause: draft.cause,
    }),
  );
  const places = drafts.map(({ item }) => item.index);
  const position: RequestPosition = {
    single,
    length: Math.max(-1, ...places) + 1,
    indexOf: new Map(changes.map((c, i) => [c, places[i]!])),
    given: new Map(changes.map((c, i) => [c, drafts[i]!.item.values])),
  };
  const all = await runEffects(
    engine,
    [...changes, ...treeMoves(model, moved), ...others],
    context.who,
    client,
    position,
    context.importing !== undefined,
  );
  if (drafts.some(({ cause }) => cause)) attributeEffects(all);
  const readContext: ReadContext = {
    ...(await engine.readContext(client)),
    definitions,
    found: new Map(),
    written: writtenIds(all),
  };
  const write = await prepareRecord(readContext, all, context.cause, client);
  const visibility = visibilityFor(engine, context.who, client);
  return { readContext: { ...readContext, visibility }, rows: rowsAfterEffects(model, rows, all), write };
}

function writtenIds(changes: Change[]): NonNullable<ReadContext['written']> {
  const idsOf = (some: Change[]) =>
    new Map(
      [...Map.groupBy(some, ({ model }) => model.name)].map(([type, of]) => [
        type,
        new Set(of.map(({ before, after }) => (after ?? before)![0]!)),
      ]),
    );
  return { created: idsOf(changes.filter(({ action }) => action === 'created')), stored: idsOf(changes) };
}

/** Rows as effects have left them. */
function rowsAfterEffects(model: Model, rows: Cell[][], changes: Change[]): Cell[][] {
  if (!model.effects.length) return rows;
  const after = new Map(
    changes.flatMap((c) => (c.model === model && c.after ? [[c.after[0]!, c.after] as const] : [])),
  );
  return rows.map((cells) => after.get(cells[0]!) ?? cells);
}

/** What a user has to be permitted beside the write itself must be permitted on the very objects that need it. */
async function checkNeeds(
  engine: WriteEngine,
  model: Model,
  drafts: Draft[],
  ids: number[],
  who: Requester,
  client: PoolClient,
): Promise<void> {
  for (const { action, when, refusal } of model.needs ?? []) {
    const concerned = ids.filter((_, i) => when(drafts[i]!.object, drafts[i]!.before, who));
    if (concerned.length)
      await checkPermitted(engine, model, concerned, action, who, client, () => refuse(403, refusal));
  }
}

/** The objects must still be within what the requester may touch. */
async function checkPermitted(
  engine: WriteEngine,
  model: Model,
  ids: number[],
  action: Action,
  who: Requester,
  client: PoolClient,
  refusal = () => notPermitted(who),
): Promise<void> {
  const constraints = allowed(who.grants, action, model.name);
  if (constraints === false) throw refusal();
  const binder = new Binder();
  const list = binder.bind(ids);
  const condition = constraintSql(engine.tables, model, constraints, who.userId, binder);
  if (!condition) return;
  const [row] = await rowsOf(client, {
    text: `select count(*) from ${engine.tables.nameOf(model.name)} t where t.id = ${idsIn(list)} and ${condition}`,
    values: binder.values,
  });
  if (Number(row![0]) !== ids.length) throw refusal();
}
