import { type ExternalDeps, externalAccount } from '../account/account.ts';
import type { ExternalOutcome, ExternalPerson, ExternalPolicy } from '../account/person.ts';
import type { DirectoryPerson } from './directory/directory.ts';
import { isDn, isIn } from './directory/names.ts';
import type { LdapSettings } from './directory/settings.ts';

/** The source under which accounts of the directory are linked. */
export const SOURCE = 'ldap';

/** The account here of somebody whom the directory lets in, brought to what it says. */
export function accountFor(
  deps: ExternalDeps,
  settings: LdapSettings,
  person: DirectoryPerson,
  more: Pick<ExternalPerson, 'address' | 'asked'>,
): Promise<ExternalOutcome> {
  const superusers = settings.ldapSuperuserGroups;
  const of = (person.groups ?? []).filter((group) => isIn([group], superusers)).map(({ name }) => name);
  return externalAccount(
    deps,
    { ...personOf(person), ...more },
    policyOf(settings, [...of, ...superusers.filter((group) => !isDn(group))]),
  );
}

const personOf = ({ groups, ...person }: DirectoryPerson): ExternalPerson => ({
  source: SOURCE,
  ...person,
  groups: groups?.map(({ name }) => name) ?? null,
});

const policyOf = (settings: LdapSettings, superuserGroups: readonly string[]): ExternalPolicy => ({
  createUsers: settings.ldapCreateUsers,
  createGroups: settings.ldapCreateGroups,
  syncGroups: settings.ldapGroupSync,
  defaultGroups: settings.ldapDefaultGroups,
  superuserGroups,
  decidesSuperusers: settings.ldapSuperuserGroups.length > 0,
  superusers: [],
  linkUsers: settings.ldapLinkUsers,
  ...(settings.ldapGroupMap ? { groupMap: settings.ldapGroupMap } : {}),
});
