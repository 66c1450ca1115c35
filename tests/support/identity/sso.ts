// A system of its own whose users come from an identity provider, and a user of it with a browser.
import { afterAll, beforeAll } from '@jest/globals';
import pg from 'pg';
import { freePort } from '../../../tools/local/processes/free-ports.ts';
import { startSystem, type System } from '../../../tools/testing/fresh-system.ts';
import { Client } from '../client.ts';
import { PageForm } from '../pages/pageForm.ts';
import { CLIENT, type Identities, type ProviderOptions, startProvider } from './provider.ts';
import { type Jar, jar, type Shown } from './sites.ts';
import { unique } from '../unique.ts';

export interface SsoSystem {
  readonly system: System;
  readonly identities: Identities;
  readonly admin: Client;
  /** The full address of a page. */
  here(path: string): string;
  sql(text: string, values?: unknown[]): Promise<Record<string, string>[]>;
  /** A user of the provider, with a browser of their own. */
  person(more?: object): { sub: string; username: string; browser: Jar };
  /** Makes the re-authentication in all sessions of a user too old. */
  tooOld(username: string): Promise<void>;
  /** Logs in at the provider, and follows all redirects. */
  logIn(browser: Jar, sub: string, next?: string): Promise<Shown>;
}

/** The system with its provider for the tests of a file. */
export function useSso(env: Record<string, string> = {}, options: ProviderOptions = {}): SsoSystem {
  let identities: Identities | undefined;
  let system: System | undefined;
  beforeAll(async () => {
    const port = String(await freePort());
    identities = await startProvider(`http://127.0.0.1:${port}`, options);
    system = await startSystem({
      PORT: port,
      OIDC_ISSUER: identities.issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
      OIDC_NAME: 'Example & Co',
      OIDC_GROUPS_CLAIM: 'groups',
      ...env,
    });
  }, 300_000);
  afterAll(async () => {
    await system?.stop();
    await identities?.stop();
  }, 60_000);
  const here = (path: string): string => system!.base + path;
  const sql: SsoSystem['sql'] = async (text, values = []) => {
    const client = new pg.Client({ connectionString: system!.databaseUrl('auth') });
    await client.connect();
    try {
      return (await client.query(text, values)).rows as Record<string, string>[];
    } finally {
      await client.end();
    }
  };
  return {
    get system() {
      return system!;
    },
    get identities() {
      return identities!;
    },
    get admin() {
      return new Client(system!.base, `Token ${system!.token}`);
    },
    here,
    sql,
    async tooOld(username) {
      const [user] = await sql('select id from users_user where username = $1', [username]);
      await sql("update user_session set proved = now() - interval '1 hour' where user_id = $1", [user!['id']]);
      // What gateways have cached of it is invalidated with that.
      const admin = new Client(system!.base, `Token ${system!.token}`);
      await admin.patch(`/api/users/users/${user!['id']}/`, { first_name: unique('x') });
    },
    person(more = {}) {
      const username = unique('ann');
      const sub = `sub-${username}`;
      identities!.people.set(sub, { preferred_username: username, ...more });
      return { sub, username, browser: jar() };
    },
    logIn(browser, sub, next = '/user/sessions/') {
      identities!.next = sub;
      return browser.go(here(`/oauth/login/oidc/?next=${encodeURIComponent(next)}`));
    },
  };
}

/** Fills in a form of a page and submits it, as a browser does on a page of that site. */
export async function sent(
  browser: Jar,
  { html, url }: Pick<Shown, 'html' | 'url'>,
  values: Record<string, string> = {},
  { selector = 'main form[method="post"]', button }: { selector?: string; button?: [string, string] } = {},
): Promise<Shown> {
  const form = new PageForm(html, selector);
  for (const [name, value] of Object.entries(values)) form.fill(name, value);
  return browser.ask(new URL(form.action || url, url).href, {
    method: 'POST',
    headers: { origin: new URL(url).origin },
    body: new URLSearchParams([...form.sent(), ...(button ? [button] : [])]),
  });
}

/** The target of a page that redirects its visitor elsewhere. */
export const leadsTo = ({ html }: Pick<Shown, 'html'>): string =>
  (/href="([^"]*)" id="go-on"/.exec(html)?.[1] ?? '').replaceAll('&amp;', '&');
