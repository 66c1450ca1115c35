import { expect, test } from '@jest/globals';
import { useSystem } from '../support/system.ts';

const used = useSystem();

test('the roots of the API list nothing but what answers', async () => {
  const root: Record<string, string> = await used.admin.read('/api/');
  const pathOf = (url: string) => new URL(url).pathname;
  for (const [app, url] of Object.entries(root)) {
    const { status, body } = await used.admin.get(pathOf(url));
    expect([app, status]).toEqual([app, 200]);
    if (app === 'status') continue;
    const answers = await Promise.all(
      Object.entries(body as Record<string, string>).map(
        async ([name, link]) => [name, (await used.admin.get(`${pathOf(link)}?limit=1`)).status] as const,
      ),
    );
    // This one requires two parameters.
    expect(answers.filter(([name, code]) => code !== (name === 'connected-device' ? 400 : 200))).toEqual([]);
  }
});
