import type { Entry } from './connection.ts';

/** Of Active Directory's `userAccountControl`. */
const ACCOUNT_DISABLE = 2;
/**
 * Of OpenLDAP's `pwdAccountLockedTime`: locked until an administrator unlocks it. Any other time is that of a lock
 * after wrong passwords.
 */
const FOR_EVER = '000001010000Z';
/** Between 1601 and 1970, in milliseconds. */
const SINCE_1601 = 11_644_473_600_000;

type Says = (value: string, now: number) => boolean;
const isTrue: Says = (value) => value.toUpperCase() === 'TRUE';
/** Active Directory counts steps of 100 ns; 0 and the largest number there is mean never. */
const isOver: Says = (value, now) => Number(value) > 0 && Number(value) / 10_000 - SINCE_1601 <= now;

/** The attributes by which directories mark an entry as disabled, whatever the password. */
const SIGNS: readonly [attribute: string, says: Says][] = [
  ['userAccountControl', (value) => (Number(value) & ACCOUNT_DISABLE) !== 0],
  ['accountExpires', isOver],
  // 389 Directory Server and FreeIPA; eDirectory.
  ['nsAccountLock', isTrue],
  ['loginDisabled', isTrue],
  ['pwdAccountLockedTime', (value) => value === FOR_EVER],
];

export const DISABLED_BY: readonly string[] = SIGNS.map(([attribute]) => attribute);

/** Whether an entry is disabled, as far as its attributes say; a login finds out by the password. */
export const isDisabled = ({ attributes }: Pick<Entry, 'attributes'>, now: number = Date.now()): boolean =>
  SIGNS.some(([name, says]) => {
    const value = attributes.get(name.toLowerCase())?.[0];
    return value !== undefined && says(String(value).trim(), now);
  });
