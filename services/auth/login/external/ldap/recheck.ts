import { type Executor, rowsOf } from '@cadastre/rest';
import { executor } from '@cadastre/service/executor';
import type { Log } from '@cadastre/service/log';
import type { Pool } from 'pg';
import type { SecurityRecord } from '../../../security/record.ts';
import type { ExternalDeps } from '../account/account.ts';
import { turnOff } from '../account/deactivation.ts';
import { useOnce } from '../account/useOnce.ts';
import type { Directory, DirectoryPerson, Standing } from './directory/directory.ts';
import { accountFor, SOURCE } from './person.ts';
import type { LdapSettings } from './directory/settings.ts';
import { Unavailable } from './directory/unavailable.ts';

export interface RecheckDeps extends ExternalDeps {
  pool: Pool;
  log: Pick<Log, 'info' | 'warn' | 'error'>;
  security: Pick<SecurityRecord, 'write' | 'note'>;
}

/** An account that came from the directory, with its subject there, or several. */
interface Known {
  id: number;
  active: boolean;
  subjects: readonly string[];
  /** Whether it has groups from there. */
  grouped: boolean;
}

type Verdict = Known & Standing;

/** The outcome of a check: how many accounts it asked about, turned off and turned on; or why it stopped. */
export type Outcome = { asked: number; off: number; on: number } | { stopped: string };

/** How many accounts are checked with one connection. */
const PAGE = 50;
/** With fewer accounts, the share of those that would lose access does not indicate a mistake. */
const SHARE_FROM = 10;

// Accounts with a password here, or linked to another system as well, are not turned off by the directory; accounts
// that were turned off in another way are not turned on.
const KNOWN = `select u.id, u.is_active, json_agg(l.subject), bool_or(l.groups <> '{}')
  from external_account l join users_user u on u.id = l.user_id
  where l.source = $1 and u.id > $2 and (u.password = '' or u.password like '!%')
    and not exists (select from external_account o where o.user_id = u.id and o.source <> $1)
  group by u.id having u.is_active or bool_or(l.turned_off is not null)
  order by u.id limit $3`;

async function pageAfter(db: Executor, id: number): Promise<Known[]> {
  const rows = await rowsOf(db, { text: KNOWN, values: [SOURCE, id, PAGE] });
  return rows.map(([user, active, subjects, grouped]) => ({
    id: Number(user),
    active: active === 't',
    subjects: JSON.parse(subjects!) as string[],
    grouped: grouped === 't',
  }));
}

/** One entry that is let in is enough. Null if the directory cannot be asked about the account. */
function standingOf(subjects: readonly string[], standings: ReadonlyMap<string, Standing>): Standing | null {
  const all = subjects.flatMap((subject) => standings.get(subject) ?? []);
  const letIn = all.find((one) => 'person' in one);
  return letIn ?? (all.length === subjects.length ? (all[0] ?? null) : null);
}

/** Stops waiting for the directory when the service ends. @throws the reason of the signal */
async function unlessEnded<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const ended = Promise.withResolvers<never>();
  const end = (): void => ended.reject(signal.reason);
  signal.addEventListener('abort', end);
  try {
    return await Promise.race([work, ended.promise]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}

async function verdicts(
  db: Executor,
  directory: Pick<Directory, 'standings'>,
  signal: AbortSignal,
): Promise<Verdict[]> {
  const all: Verdict[] = [];
  for (let after = 0; ; ) {
    const page = await pageAfter(db, after);
    signal.throwIfAborted();
    const asked = directory.standings(page.flatMap(({ subjects }) => subjects));
    const standings = await unlessEnded(asked, signal);
    for (const known of page) {
      const standing = standingOf(known.subjects, standings);
      if (standing) all.push({ ...known, ...standing });
    }
    if (page.length < PAGE) return all;
    after = page.at(-1)!.id;
  }
}

/** Whether an account would lose everything that the directory gave: access, or all groups. */
const loses = (verdict: Verdict): boolean =>
  'why' in verdict || (verdict.grouped && verdict.person.groups?.length === 0);

/**
 * Why so many accounts would lose everything that it must be a mistake in the settings or in the directory; undefined
 * if it is few enough.
 */
function mistake(all: readonly Verdict[], mostPercent: number): string | undefined {
  const active = all.filter((one) => one.active);
  const losing = active.filter(loses).length;
  if (active.length < SHARE_FROM || losing * 100 <= active.length * mostPercent) return undefined;
  return `${losing} of ${active.length} accounts would be turned off or lose all groups: more than ${mostPercent} percent`;
}

/**
 * Asks the directory about all accounts that came from it, and only then changes any: turns off those whose users would
 * no longer be let in, turns on those that such a check has turned off and whose users are let in again, and updates
 * all others from the directory. @throws Unavailable
 */
export async function recheck(
  deps: RecheckDeps,
  directory: Pick<Directory, 'standings'>,
  settings: LdapSettings,
  signal: AbortSignal = new AbortController().signal,
): Promise<Outcome> {
  const { pool, log, security } = deps;
  const all = await verdicts(pool, directory, signal);
  const stopped = mistake(all, settings.ldapRecheckMaxPercent);
  if (stopped !== undefined) {
    log.error(
      { problem: stopped },
      'a look at the directory was stopped, and changed nothing: LDAP_RECHECK_MAX_PERCENT',
    );
    const event = {
      user: { id: null, name: '' },
      address: '',
      method: SOURCE,
      detail: `Nothing was changed: ${stopped}.`,
    };
    security.note({ kind: 'external_account', ok: false, ...event });
    return { stopped };
  }
  const done = { asked: all.length, off: 0, on: 0 };
  for (const verdict of all) {
    signal.throwIfAborted();
    try {
      if ('person' in verdict) done.on += await bring(deps, settings, verdict, verdict.person);
      else if (verdict.active && (await turnOff(deps, { userId: verdict.id, source: SOURCE, why: verdict.why })))
        done.off += 1;
    } catch (err) {
      // The failure of one account must not stop the others.
      log.warn({ err, user: verdict.id }, 'an account could not be brought to what the directory says');
    }
  }
  return done;
}

/** Returns how many accounts this has turned on. */
async function bring(
  deps: RecheckDeps,
  settings: LdapSettings,
  { active }: Known,
  person: DirectoryPerson,
): Promise<number> {
  const outcome = await accountFor(deps, settings, person, { asked: 'look' });
  return 'account' in outcome && !active ? 1 : 0;
}

/** The delay of the first check after a start, when a process is busy with other things. */
const FIRST_MS = 30_000;

/** Checks repeatedly, in one process at a time. Returns a function that stops it. */
export function recheckFromTimeToTime(
  deps: RecheckDeps,
  directory: Pick<Directory, 'standings'>,
  settings: LdapSettings,
): () => Promise<void> {
  const { ldapRecheckSeconds: seconds, ldapBindDn } = settings;
  if (!seconds || !ldapBindDn) return async () => undefined;
  const { log, pool } = deps;
  const every = seconds * 1000;
  const ending = new AbortController();
  const { signal } = ending;
  let looking: Promise<void> = Promise.resolve();
  const look = async (): Promise<void> => {
    // One check for each interval, by the process that comes first.
    const stretch = String(Math.floor(Date.now() / every));
    if (!(await useOnce(executor(pool), ['a look at the directory', stretch], seconds * 2))) return;
    const outcome = await recheck(deps, directory, settings, signal);
    if (!('stopped' in outcome) && outcome.off + outcome.on > 0)
      log.info(outcome, 'accounts were turned off or on, as the directory says');
  };
  const failed = (error: unknown): void => {
    if (signal.aborted) return;
    if (error instanceof Unavailable)
      log.warn(
        { directory: error.server, reason: error.message },
        'the directory could not be asked about its accounts: nothing was changed',
      );
    else log.warn({ err: error }, 'accounts of the directory could not be looked at');
  };
  const next = (): void => {
    looking = looking.then(look).catch(failed);
  };
  const first = setTimeout(next, Math.min(every, FIRST_MS)).unref();
  const timer = setInterval(next, every).unref();
  return async () => {
    clearTimeout(first);
    clearInterval(timer);
    ending.abort();
    await looking;
  };
}
