import type { Pool } from 'pg';
import { type Catalogue, typeId } from '@cadastre/model';
import { allowedSql } from './permissions.ts';
import { allowed, type Requester } from '../core/requester.ts';
import type { TypedIds } from '../core/typedIds.ts';
import { type Peers, Unreachable } from '../peers/peers.ts';
import type { Named } from '../core/named.ts';
import { Binder, type Executor, rowsOf } from '../db/sql.ts';
import type { Tables } from '../db/tables.ts';

/** Whether an object is hidden from somebody. */
export type IsHidden = (type: string, id: string | number) => boolean;

/** Finds out which of some objects somebody may view. */
export type Visibility = (objects: readonly Named[]) => Promise<IsHidden>;

/** For answers that are remembered and shown to everybody: everything that objects are about is hidden in them. */
export const HIDES_ALL: Visibility = async () => () => true;

/** What a check of visibility needs: the tables here, and the owners of the others. */
export interface VisibilityEngine {
  tables: Tables;
  pool: Pool;
  peers: Pick<Peers, 'viewable'>;
}

/** What somebody wants to know of some objects. */
export interface VisibilityQuestion {
  who: Requester;
  objects: readonly Named[];
}

/** What a requester may view; undefined for everything. Inside a transaction, `executor` is the transaction's. */
export const visibilityFor = (
  where: VisibilityEngine,
  who: Requester,
  executor: Executor = where.pool,
): Visibility | undefined =>
  who.grants.superuser
    ? undefined
    : async (objects) => (await checkVisibility(where, [{ who, objects }], executor))[0]!;

/**
 * Which objects are hidden from whom. What a permission without constraints decides costs nothing; about the rest each
 * owner is asked once, whatever the number of objects and of requesters. Where an owner cannot be asked, its objects
 * count as hidden.
 */
export async function checkVisibility(
  { tables, pool, peers }: VisibilityEngine,
  questions: readonly VisibilityQuestion[],
  executor: Executor = pool,
): Promise<IsHidden[]> {
  const { catalogue } = tables;
  const seen = questions.map(() => new Map<string, ReadonlySet<string>>());
  const open = questions.map(
    ({ who }) =>
      (type: string) =>
        viewsAll(tables, who, type),
  );
  const byOwner = new Map<string, { at: number; who: Requester; objects: TypedIds[] }[]>();
  for (const [at, { who, objects }] of questions.entries()) {
    const asked = Map.groupBy(new Set(objects.map(({ type }) => type)), (type) =>
      open[at]!(type) || allowed(who.grants, 'view', type) === false ? undefined : catalogue.serviceOf(type),
    );
    for (const [owner, types] of asked) {
      if (owner === undefined) continue;
      const wanted = types.map(
        (type): TypedIds => ({
          type,
          ids: [...new Set(objects.flatMap((o) => (o.type === type ? [Number(o.id)] : [])))],
        }),
      );
      byOwner.set(owner, [...(byOwner.get(owner) ?? []), { at, who, objects: wanted }]);
    }
  }
  await Promise.all(
    [...byOwner].map(async ([owner, asked]) => {
      const answers =
        owner === tables.service
          ? await viewable(tables, asked, executor)
          : await peers.viewable(owner, asked).catch(none);
      for (const [i, answer] of answers.entries())
        for (const { type, ids } of answer) seen[asked[i]!.at]!.set(type, new Set(ids.map(String)));
    }),
  );
  return questions.map(
    ({ who }, at) =>
      (type, id) =>
        !open[at]!(type) && !seen[at]!.get(type)?.has(String(id)) && !isSelf(catalogue, who, type, id),
  );
}

/** Users may always be told about themselves. */
const isSelf = (catalogue: Catalogue, { userId }: Requester, type: string, id: string | number): boolean =>
  userId !== null && catalogue.has(type) && catalogue.get(type).self === true && Number(id) === userId;

/** Whether somebody may view all objects of a type. */
export function viewsAll({ catalogue }: { catalogue: Catalogue }, { grants }: Requester, type: string): boolean {
  return (
    grants.superuser || (catalogue.has(type) && !catalogue.get(type).private && allowed(grants, 'view', type) === null)
  );
}

/** The types of which somebody may view all objects; undefined for all types there are. */
export function typesViewed({ catalogue }: { catalogue: Catalogue }, who: Requester): string[] | undefined {
  if (who.grants.superuser) return undefined;
  const all = [...catalogue.models.keys()];
  const open = all.filter((type) => viewsAll({ catalogue }, who, type));
  return open.length === all.length ? undefined : open;
}

function none(error: unknown): TypedIds[][] {
  if (error instanceof Unreachable) return [];
  throw error;
}

/** Which of some objects of this service those who ask may view. One statement for each of them. */
export async function viewable(
  tables: Tables,
  questions: readonly { who: Requester; objects: readonly TypedIds[] }[],
  executor: Executor,
): Promise<TypedIds[][]> {
  const answers: TypedIds[][] = [];
  for (const { who, objects } of questions) {
    const binder = new Binder();
    const parts: string[] = [];
    for (const { type, ids } of objects) {
      const permission = tables.owns(type)
        ? allowedSql(tables, tables.catalogue.get(type), 'view', who, binder)
        : false;
      if (permission !== false)
        parts.push(
          `select ${typeId(type)}::int, t.id from ${tables.nameOf(type)} t where t.id = any(${binder.bind(ids)}::bigint[])${permission ? ` and ${permission}` : ''}`,
        );
    }
    const rows = parts.length ? await rowsOf(executor, { text: parts.join(' union all '), values: binder.values }) : [];
    answers.push(
      [...Map.groupBy(rows, ([number]) => number!)].map(([number, found]) => ({
        type: tables.catalogue.typeById(Number(number))!,
        ids: found.map(([, id]) => Number(id)),
      })),
    );
  }
  return answers;
}
