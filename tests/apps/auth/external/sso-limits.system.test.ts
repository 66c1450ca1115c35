// The settings for logins by a provider: time limits, how many at a time, and whether they start by themselves.
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { type Jar, jar, type Shown } from '../../../support/identity/sites.ts';
import { sent, useSso } from '../../../support/identity/sso.ts';

const SECONDS = 30;
const used = useSso({ OIDC_IMMEDIATE: 'true', OIDC_LOGIN_SECONDS: String(SECONDS), OIDC_CONCURRENCY: '1' });
const { here, logIn, person } = used;

const page = '/user/sessions/';
const problemIn = ({ html }: Shown) => /id="problem">([^<]*)</.exec(html)?.[1];

/** The login up to the address that the provider redirects the browser to. */
async function atProvider(browser: Jar, sub: string): Promise<string> {
  used.identities.next = sub;
  const isBack = (url: string) => url.startsWith(here('/oauth/complete/'));
  const { location } = await browser.go(here(`/oauth/login/oidc/?next=${page}`), isBack);
  return location!;
}

describe('OIDC_IMMEDIATE', () => {
  test('leads a browser without a session to the provider, and back, without a click', async () => {
    const { sub, browser } = person();
    used.identities.next = sub;
    const shown = await browser.go(here(page));
    expect([shown.status, shown.url]).toEqual([200, here(page)]);
  });

  test('shows the login page to who asks for it, or has just logged out', async () => {
    const local = await jar().ask(here('/login/?local&next=/'));
    expect([local.status, local.html.includes('type="password"')]).toEqual([200, true]);
    const { sub, browser } = person();
    const inside = await logIn(browser, sub, page);
    await sent(browser, inside, {}, { selector: 'form[action="/logout/"]' });
    const left = await browser.go(here('/logout/'));
    expect([left.url, left.html.includes('You are logged out.')]).toEqual([here('/login/?left'), true]);
  });

  test('shows it also to whose session has ended in the middle of a form', async () => {
    const { sub, browser } = person();
    const inside = await logIn(browser, sub, '/user/api-tokens/');
    browser.cookies(used.system.base).clear();
    const shown = await sent(browser, inside, { description: 'typed' }, { selector: 'main form.panel' });
    expect([shown.status, shown.html.includes('name="elsewhere"')]).toEqual([403, true]);
  });
});

test('OIDC_CONCURRENCY: one more than are completed at the same time is told to try again', async () => {
  const [first, second] = [person(), person()];
  const back = [await atProvider(first.browser, first.sub), await atProvider(second.browser, second.sub)] as const;
  const [asked, answers] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  used.identities.holding = () => {
    asked.resolve();
    return answers.promise;
  };
  // The first one holds its place until the provider answers.
  const under = first.browser.ask(back[0]);
  await asked.promise;
  const refused = await second.browser.ask(back[1]);
  answers.resolve();
  used.identities.holding = undefined;
  expect([refused.status, problemIn(refused)]).toEqual([503, 'Too many log in at present. Please try again.']);
  expect((await under).location).toBe(here(page));
  expect((await logIn(second.browser, second.sub, page)).url).toBe(here(page));
});

test('OIDC_LOGIN_SECONDS: who takes longer at the provider begins again', async () => {
  const [slow, quick] = [person(), person()];
  const back = await atProvider(slow.browser, slow.sub);
  const flow = slow.browser.cookies(used.system.base).get('cadastre_flow')!;
  const begun = await quick.browser.ask(here('/oauth/login/oidc/'));
  expect(begun.headers.getSetCookie().find((one) => one.startsWith('cadastre_flow='))).toContain(`Max-Age=${SECONDS};`);
  await sleep((SECONDS + 1) * 1000);
  // A browser forgets the cookie by then; one that keeps it gains nothing.
  expect(slow.browser.cookies(used.system.base).get('cadastre_flow')).toBe(flow);
  const late = await slow.browser.ask(back);
  expect([late.status, problemIn(late)]).toEqual([
    400,
    'This login was begun in another window, took too long, or has been used already. Please try again.',
  ]);
  expect((await logIn(slow.browser, slow.sub, page)).url).toBe(here(page));
});
