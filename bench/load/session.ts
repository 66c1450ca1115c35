import { PASSWORD } from '../../tools/testing/fresh-system.ts';

const firstCookie = (answer: Response): string[] => answer.headers.getSetCookie().map((one) => one.split(';', 1)[0]!);

/**
 * The hidden fields of the first form of a page, whatever they are called: versions that are compared may differ in
 * that.
 */
function hiddenFields(html: string): URLSearchParams {
  const [form = ''] = /<form[\s\S]*?<\/form>/.exec(html) ?? [];
  const fields = [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  return new URLSearchParams(fields.map(([, name, value]) => [name!, value!] as [string, string]));
}

/** Logs the superuser in as a browser does. Returns the cookie that its later requests have. */
export async function sessionAt(base: string, password = PASSWORD): Promise<string> {
  const login = `${base}/login/`;
  const page = await fetch(login);
  const body = hiddenFields(await page.text());
  body.set('username', 'admin');
  body.set('password', password);
  const answer = await fetch(login, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: firstCookie(page).join('; ') },
    body,
  });
  const session = firstCookie(answer).find((one) => /^(__Host-)?cadastre_session=./.test(one));
  if (!session) throw new Error(`The login was answered with ${answer.status}.`);
  return session;
}
