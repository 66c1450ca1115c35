import type { ExternalPerson } from '../account/person.ts';
import type { OidcConfig } from './settings.ts';

export type Claims = Readonly<Record<string, unknown>>;

type Wanted = Pick<OidcConfig, 'oidcUsernameClaim' | 'oidcGroupsClaim'>;

/** A claim by its name, or by the way to it: `realm_access.roles`. */
export function claimOf(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Claims)[part];
  }
  return value;
}

/** Whether the provider is to be asked for more than the ID token tells. */
export const tellsTooLittle = (claims: Claims, { oidcUsernameClaim, oidcGroupsClaim }: Wanted): boolean =>
  [oidcUsernameClaim, oidcGroupsClaim, 'email'].some(
    (name) => name !== undefined && claimOf(claims, name) === undefined,
  );

/** The person that the claims of a provider describe; a text if something is missing. */
export function personOf(claims: Claims, { oidcUsernameClaim, oidcGroupsClaim }: Wanted): ExternalPerson | string {
  const username = claimOf(claims, oidcUsernameClaim);
  if (typeof username !== 'string' || username.trim() === '') return `there is no claim ${oidcUsernameClaim}`;
  if (oidcUsernameClaim === 'email' && claims['email_verified'] === false) return 'the e-mail address is not verified';
  const text = (name: string) => (typeof claims[name] === 'string' ? { value: claims[name] } : undefined);
  const [email, firstName, lastName] = [text('email'), text('given_name'), text('family_name')];
  return {
    source: 'oidc',
    subject: `${String(claims['iss'])} ${String(claims['sub'])}`,
    username: username.trim(),
    groups: groupsOf(claims, oidcGroupsClaim),
    ...(email ? { email: email.value } : {}),
    ...(firstName ? { firstName: firstName.value } : {}),
    ...(lastName ? { lastName: lastName.value } : {}),
  };
}

/**
 * A claim that is not there means no groups, as many providers leave out an empty list; but some leave out a list that
 * is too long, and say so.
 */
function groupsOf(claims: Claims, name: string | undefined): string[] | null {
  if (name === undefined) return null;
  const value = claimOf(claims, name);
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.filter((one): one is string => typeof one === 'string');
  const elsewhere = claims['_claim_names'];
  const isElsewhere = typeof elsewhere === 'object' && elsewhere !== null && Object.hasOwn(elsewhere, name);
  return claims['hasgroups'] === true || isElsewhere ? null : [];
}
