import { expect, test } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';
import { userWith } from '../../support/users.ts';
import { type Attack, crowd, everyday, expectCalm } from './p99.ts';

const used = useSystem();
const tags = '/api/extras/tags/';
const calm = (attack: Attack) =>
  expectCalm({ attack, others: everyday(used.admin), underway: 1, requests: 120, system: used.system });

/** As many objects as one request may bring. */
const MANY = 10_000;
const list = () => {
  const word = unique();
  return Array.from({ length: MANY }, (_, i) => ({ name: `${word} ${i}`, slug: `${word}-${i}`, description: word }));
};

test('ten thousand objects that are made and deleted by one request each are nothing to others', async () => {
  const { client } = await userWith(used.admin, { types: ['extras.tag'], actions: ['view', 'add', 'delete'] });
  const { blows } = await calm((attacking) =>
    crowd(1, attacking, async () => {
      const { status, body } = await client.post(tags, list());
      attacking.count(String(status));
      const ids = (body as { id: number }[]).map(({ id }) => ({ id }));
      attacking.count(String((await client.delete(tags, ids)).status));
    }),
  );
  expect(Object.keys(blows)).toContain('201');
});

test('nor are ten thousand that are all refused', async () => {
  const { client } = await userWith(used.admin, { types: ['dcim.site'], actions: ['view', 'add'] });
  const wrong = Array.from({ length: MANY }, () => ({ name: '', slug: '?', status: 'none', latitude: 'far' }));
  const { blows } = await calm((attacking) =>
    crowd(2, attacking, async () => {
      attacking.count(String((await client.post('/api/dcim/sites/', wrong)).status));
    }),
  );
  expect(Object.keys(blows)).toContain('400');
});

test('nor are twenty bodies as large as may be, plain and packed, that are sent at once', async () => {
  const { client } = await userWith(used.admin, { types: ['dcim.site'], actions: ['view', 'add'] });
  const { authorization, base } = client;
  const large = JSON.stringify({ a: Array.from({ length: 90_000 }, (_, i) => `${'x'.repeat(80)}${i}`) });
  const packed = gzipSync(JSON.stringify({ a: Array.from({ length: 90_000 }, () => Math.random()) }));
  const { blows } = await calm((attacking) =>
    crowd(20, attacking, async (one) => {
      const answer = await fetch(`${base}/api/dcim/sites/`, {
        method: 'POST',
        headers: {
          authorization: authorization!,
          'content-type': 'application/json',
          ...(one % 2 ? { 'content-encoding': 'gzip' } : {}),
        },
        body: one % 2 ? packed : large,
        signal: attacking.signal,
      });
      await answer.text();
      attacking.count(String(answer.status));
    }),
  );
  expect(Object.keys(blows).every((status) => ['400', '413', '429', '503'].includes(status))).toBe(true);
});
