import { test } from '@jest/globals';
import type { Client } from '../../support/client.ts';
import { endless, mayRender, type Rendering, renderings } from '../../support/webhooks/renderings.ts';
import { useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';
import { userWith } from '../../support/users.ts';
import { type Asked, type Attack, crowd, everyday, expectCalm } from './p99.ts';

const used = useSystem();
const asked = ({ base, authorization }: Client, { method, path }: Rendering): Asked => ({
  method,
  url: base + path,
  headers: { Authorization: authorization! },
});

/** Several attackers who request the same again and again; one that is refused waits for a moment. */
const flood =
  (size: number, requests: Asked[]): Attack =>
  (attacking) =>
    crowd(size, attacking, async (one) => {
      const { url, method = 'GET', headers = {} } = requests[one % requests.length]!;
      attacking.count('sent');
      const answer = await fetch(url, { method, headers, signal: attacking.signal });
      await answer.arrayBuffer();
      attacking.count(String(answer.status));
      await new Promise((resolve) => {
        setTimeout(resolve, answer.status === 200 ? 0 : 100);
      });
    });

test('exports and renderings without end are nothing to others, who render something, too', async () => {
  const heavy = await renderings(used.admin, endless);
  const light = await renderings(used.admin, 'light');
  const { client: attacker } = await userWith(used.admin, ...mayRender);
  const { client: other } = await userWith(used.admin, ...mayRender);
  await expectCalm({
    system: used.system,
    others: [...everyday(other), ...Object.values(light).map((one) => asked(other, one))],
    underway: 24,
    attack: flood(
      24,
      Object.values(heavy).map((one) => asked(attacker, one)),
    ),
  });
});

test('exports of many objects are nothing to others', async () => {
  const name = unique('export');
  const word = unique('many');
  await used.admin.make('/api/extras/export-templates/', {
    name,
    object_types: ['dcim.site'],
    template_code: '{% for site in queryset %}{{ site.name }}\n{% endfor %}',
  });
  for (let i = 0; i < 4; i += 1)
    await used.admin.make(
      '/api/dcim/sites/',
      Array.from({ length: 1_000 }, (_, n) => ({ name: `${word}-${i}-${n}`, slug: `${word}-${i}-${n}` })),
    );
  const { client: attacker } = await userWith(used.admin, ...mayRender);
  const { client: other } = await userWith(used.admin, ...mayRender);
  await expectCalm({
    system: used.system,
    others: everyday(other),
    underway: 10,
    attack: flood(10, [asked(attacker, { method: 'GET', path: `/api/dcim/sites/?name__isw=${word}&export=${name}` })]),
  });
});
