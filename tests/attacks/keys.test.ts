import { describe, expect, test } from '@jest/globals';
import { adminPassword, useSystem } from '../support/system.ts';
import { logIn } from '../support/visitor.ts';

const used = useSystem();
const tasks = '/core/background-tasks/';

/** The proof in the login form that is shown to somebody with this cookie, and the cookie that came with it. */
async function loginForm(cookie: string): Promise<{ proof: string; cookie: string | undefined }> {
  const page = await fetch(`${used.system.base}/login/`, { headers: { cookie: `cadastre_login=${cookie}` } });
  return { proof: /name="proof" value="([^"]*)"/.exec(await page.text())![1]!, cookie: page.headers.getSetCookie()[0]?.split(';', 1)[0] };
}
const enter = (cookie: string, proof: string) => fetch(`${used.system.base}/login/`, {
  method: 'POST', redirect: 'manual', headers: { cookie }, body: new URLSearchParams({ username: 'admin', password: adminPassword, proof }),
});

describe('proofs of forms', () => {
  test('are not made for what a client chose', async () => {
    const { proof, cookie } = await loginForm('chosen');
    expect(cookie).toMatch(/^cadastre_login=[\w.-]{30,}$/);
    expect((await enter('cadastre_login=chosen', proof)).status).toBe(403);
    expect((await enter(cookie!, proof)).status).toBe(303);
  });

  test('of the login page are none of a session, whatever the login page is told', async () => {
    const session = await logIn(used.system.base, 'admin', adminPassword);
    const { proof } = await loginForm(session.cookie.split('=')[1]!);
    await session.post('/logout/', { proof });
    expect((await session.get(tasks)).status).toBe(200);
  });

  test('of one visit, or one session, count in no other', async () => {
    const [mine, other] = [await loginForm(''), await loginForm('')];
    expect((await enter(mine.cookie!, other.proof)).status).toBe(403);
    const [session, another] = [await logIn(used.system.base, 'admin', adminPassword), await logIn(used.system.base, 'admin', adminPassword)];
    await session.post('/logout/', { proof: await another.proof(tasks) });
    expect((await session.get(tasks)).status).toBe(200);
    expect(await session.proof(tasks)).not.toBe(await session.proof(tasks));
    await session.post('/logout/', { proof: await session.proof(tasks) });
    expect((await session.get(tasks)).status).toBe(303);
  });
});
