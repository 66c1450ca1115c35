import { expect, test } from '@jest/globals';
import { useSystem } from '../../support/system.ts';
import { crowd, everyday, expectCalm } from './p99.ts';

const used = useSystem();

test('requests for the API document in all its forms, again and again, slow nobody else down', async () => {
  const { base } = used.system;
  const apps = (await (await fetch(`${base}/api/schema/swagger-ui/apps.json`)).json()) as string[];
  expect(apps.length).toBeGreaterThan(5);
  const forms = ['json', 'yaml'].flatMap((format) =>
    ['', ...apps.map((app) => `&app=${app}`)].map((app) => `${base}/api/schema/?format=${format}${app}`),
  );
  const statuses = new Set<number>();
  let n = 0;
  await expectCalm({
    system: used.system,
    others: everyday(used.admin),
    attack: (attacking) =>
      crowd(16, attacking, async () => {
        n += 1;
        // Compressed and not, in nine indentations, and never from a cache.
        const response = await fetch(forms[n % forms.length]!, {
          signal: attacking.signal,
          headers: {
            'accept-encoding': n % 3 ? 'gzip' : 'identity',
            ...(n % 2 ? { accept: `application/json; indent=${n % 9}` } : {}),
            'cache-control': 'no-cache',
          },
        });
        statuses.add(response.status);
        await response.body?.cancel();
        attacking.count();
      }),
    underway: 20,
  });
  expect([...statuses]).toEqual([200]);
});
