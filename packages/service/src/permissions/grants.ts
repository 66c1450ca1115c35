import { LRUCache } from 'lru-cache';
import type { Model } from '@cadastre/model';
import type { Constraint, Grants, Requester } from '@cadastre/rest';
import type { Config } from '../settings/config.ts';
import { EXPIRY_SLACK_MS } from '../security/expiry.ts';
import type { Identity } from '../security/identity.ts';

/** Permissions as the auth service sends them. */
export interface PermissionSet {
  version: number;
  permissions: { object_types: string[]; actions: string[]; constraints: string }[];
}

type Exemptible = Pick<Model, 'name' | 'app' | 'exempt'>;

const MAX_USERS = 5000;
/**
 * How long a set is kept that has another version than the one requested: the gateway will soon know the new version.
 */
const UNEXPECTED_MS = 1000;

/** What requesters may do, given their identities. A user's set is requested once per version. */
export function requesters(
  config: Pick<Config, 'exemptViewPermissions'>,
  models: Iterable<Exemptible>,
  ask: (userId: number) => Promise<PermissionSet>,
): (identity: Identity) => Promise<Requester> {
  const sets = new LRUCache<string, Promise<Grants>>({
    max: MAX_USERS,
    ttl: 3_600_000,
    ttlResolution: EXPIRY_SLACK_MS,
  });
  const exempt = exemptTypes(config.exemptViewPermissions, models);
  const nobody: Requester = {
    userId: null,
    username: '',
    grants: { superuser: false, userId: null, byAction: new Map(exempt.map((t) => [`view ${t}`, null])) },
  };
  return async (identity) => {
    if (identity.anonymous) return nobody;
    const { userId, username, superuser, permissionsVersion, sessionId, provenUntil } = identity;
    const who = {
      userId,
      username,
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(provenUntil === undefined ? {} : { provenUntil }),
    };
    if (superuser) return { ...who, grants: { superuser: true, userId, byAction: new Map() } };
    const key = `${userId} ${permissionsVersion}`;
    let grants = sets.get(key);
    if (!grants) {
      const asked = ask(userId);
      grants = asked.then((set) => grantsOf(userId, set, exempt));
      sets.set(key, grants);
      asked.then(
        (set) => {
          if (set.version !== permissionsVersion) sets.set(key, grants!, { ttl: UNEXPECTED_MS });
        },
        () => sets.delete(key),
      );
    }
    return { ...who, grants: await grants, grantsVersion: permissionsVersion };
  };
}

/**
 * The types that everybody may view: those that are listed, or all of an app (`dcim.*`), or all (`*`), except those
 * whose declarations exclude this.
 */
export const exemptTypes = (names: readonly string[], models: Iterable<Exemptible>): string[] =>
  [...models]
    .filter(
      ({ name, app, exempt }) =>
        exempt !== 'never' &&
        (names.includes(name) || (exempt === undefined && (names.includes('*') || names.includes(`${app}.*`)))),
    )
    .map(({ name }) => name);

/** Several permissions for one action add up: their constraints are alternatives. */
export function grantsOf(userId: number, { permissions }: PermissionSet, exempt: readonly string[] = []): Grants {
  const byAction = new Map<string, Constraint[] | null>();
  for (const { object_types, actions, constraints } of permissions) {
    const alternatives = JSON.parse(constraints || 'null') as Constraint[] | null;
    for (const type of object_types) {
      for (const action of actions) {
        const key = `${action} ${type}`;
        const known = byAction.get(key);
        byAction.set(key, known === null || alternatives === null ? null : [...(known ?? []), ...alternatives]);
      }
    }
  }
  for (const type of exempt) byAction.set(`view ${type}`, null);
  return { superuser: false, userId, byAction };
}
