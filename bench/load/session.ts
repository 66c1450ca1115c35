import { PASSWORD } from '../../tools/testing/fresh-system.ts';

const firstCookie = (answer: Response): string[] => answer.headers.getSetCookie().map((one) => one.split(';', 1)[0]!);

/** Logs the superuser in as a browser does. Returns the cookie that its later requests have. */
export async function sessionAt(base: string, password = PASSWORD): Promise<string> {
  const login = `${base}/login/`;
  const page = await fetch(login);
  const [, csrfToken = ''] = /name="csrf_token" value="([^"]*)"/.exec(await page.text()) ?? [];
  const answer = await fetch(login, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: firstCookie(page).join('; ') },
    body: new URLSearchParams({ username: 'admin', password, csrf_token: csrfToken }),
  });
  const session = firstCookie(answer).find((one) => /^(__Host-)?cadastre_session=./.test(one));
  if (!session) throw new Error(`The login was answered with ${answer.status}.`);
  return session;
}
