import type { ExternalPerson, ExternalPolicy } from './person.ts';

/** What another system says about somebody's groups, in names of groups here; null when it says nothing. */
export function groupsHere(
  { groups }: Pick<ExternalPerson, 'groups'>,
  { groupMap }: Pick<ExternalPolicy, 'groupMap'>,
): string[] | null {
  return groups ? [...new Set(groups.map((name) => groupMap?.get(name) ?? name).filter(isGroupName))] : null;
}

/** As the model of groups has it; whatever else a system sends names no group here. */
const isGroupName = (name: string): boolean => name.trim() !== '' && name.length <= 150 && !name.includes('\0');

/**
 * The groups of a user after a login. Memberships that the system gave before and no longer names end in any case;
 * others stay, unless the system alone decides.
 */
export function membershipsAfter(
  present: readonly number[],
  {
    told,
    given,
    defaults,
    created,
  }: { told: readonly number[] | null; given: readonly number[]; defaults: readonly number[]; created: boolean },
  { syncGroups }: Pick<ExternalPolicy, 'syncGroups'>,
): number[] {
  if (told === null) return distinct(created ? [...present, ...defaults] : present);
  const before = new Set(given);
  const stays = syncGroups ? [] : present.filter((id) => !before.has(id));
  return distinct([...stays, ...told, ...(created || syncGroups ? defaults : [])]);
}

const distinct = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b);

/** Whether somebody is to be a superuser; null when the system has no say in it. */
export function superuserBy(
  username: string,
  { groups }: Pick<ExternalPerson, 'groups'>,
  {
    superuserGroups,
    superusers,
    groupMap,
    decidesSuperusers = superuserGroups.length > 0,
  }: Pick<ExternalPolicy, 'superuserGroups' | 'superusers' | 'groupMap' | 'decidesSuperusers'>,
): boolean | null {
  if (superusers.includes(username)) return true;
  if (!decidesSuperusers) return superusers.length ? false : null;
  if (!groups) return null;
  const wanted = new Set(superuserGroups);
  return groups.some((name) => wanted.has(name) || wanted.has(groupMap?.get(name) ?? name));
}
