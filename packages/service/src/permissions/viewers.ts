import { type Engine, type IsHidden, type Named, type VisibilityQuestion, checkVisibility } from '@cadastre/rest';
import { grantsOf, type PermissionSet } from './grants.ts';

/** Users with all their permissions, from the auth service; users that do not exist are left out. */
export type Rights = (
  userIds: readonly number[],
) => Promise<readonly (PermissionSet & { user: { id: number; username: string; superuser: boolean } })[]>;

/**
 * What is hidden from users who are not making a request themselves: each with the objects that matter to that user.
 */
export type Viewers = (wanted: ReadonlyMap<number, readonly Named[]>) => Promise<(userId: number) => IsHidden>;

/**
 * One call to the auth service, and one to each owner whose objects have to be checked against constraints. Everything
 * is hidden from users that do not exist.
 */
export const viewersOf =
  (engine: Engine, rights: Rights, exempt: readonly string[]): Viewers =>
  async (wanted) => {
    const users = wanted.size ? await rights([...wanted.keys()]) : [];
    const questions = users.map(
      ({ user: { id, username, superuser }, ...set }): VisibilityQuestion => ({
        who: {
          userId: id,
          username,
          grants: superuser ? { superuser, userId: id, byAction: new Map() } : grantsOf(id, set, exempt),
          grantsVersion: set.version,
        },
        objects: wanted.get(id)!,
      }),
    );
    const hides = await checkVisibility(engine, questions);
    const byUser = new Map(questions.map(({ who }, i) => [who.userId, hides[i]!]));
    return (userId) => byUser.get(userId) ?? (() => true);
  };
