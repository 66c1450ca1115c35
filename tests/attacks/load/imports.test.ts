import { beforeAll, expect, test } from '@jest/globals';
import { hostileProgress, hostileTexts } from '../../support/objects/imports.ts';
import { adminPassword, useSystem } from '../../support/system.ts';
import { userWith } from '../../support/users.ts';
import { logIn, type Session } from '../../support/pages/visitor.ts';
import { type Attack, crowd, everyday, expectCalm } from './p99.ts';

const used = useSystem();
const path = '/dcim/sites/import/';
let admin: Session;
let reader: Session;
beforeAll(async () => {
  const { name } = await userWith(used.admin, { types: ['dcim.site'], actions: ['view'] });
  admin = await logIn(used.system.base, 'admin', adminPassword);
  reader = await logIn(used.system.base, name, 'Correct-Horse-9');
});

/** Several attackers who send the same again and again. */
const sending =
  (size: number, who: Session, fields: [string, string | Blob][]): Attack =>
  async (attacking) => {
    const form = new FormData();
    // The token comes first, as in every form: what precedes it is not read.
    form.set('csrf_token', await who.csrfToken(path));
    for (const [name, value] of fields) form.set(name, value);
    await crowd(size, attacking, async () => {
      const answer = await fetch(used.system.base + path, {
        method: 'POST',
        body: form,
        headers: { cookie: who.cookie },
        signal: attacking.signal,
      });
      await answer.text();
      attacking.count(String(answer.status));
    });
  };
const fileOf = (text: string): [string, string | Blob][] => [
  ['_import', '1'],
  ['file', new Blob([text])],
];
const calm = (attack: Attack) =>
  expectCalm({ attack, others: everyday(used.admin), underway: 1, requests: 120, system: used.system });

test('nine megabytes of somebody who may not import are nothing to others', async () => {
  const { blows } = await calm(sending(2, reader, fileOf(hostileTexts['JSON of nine megabytes']!())));
  expect(Object.keys(blows)).toEqual(['403']);
});

test.each([
  'JSON of one megabyte',
  'JSON of nine megabytes',
  'aliases of aliases',
  'a long text, repeated by aliases',
  'documents of YAML, a hundred thousand',
  'a scalar of nine megabytes over many lines',
  'CSV with a million columns',
  'CSV with one cell of nine megabytes',
  'CSV with four million rows',
  'a table of four million cells',
])('nor is %s of somebody who may', async (kind) => {
  const { blows } = await calm(sending(2, admin, fileOf(hostileTexts[kind]!())));
  expect(blows).not.toHaveProperty('403');
});

test.each(['five megabytes', 'a portion that grows a thousandfold'])('nor is made-up progress: %s', async (kind) => {
  const [progress, portion] = hostileProgress[kind]!();
  const { blows } = await calm(
    sending(2, admin, [
      ['progress', progress],
      ['portion', portion],
    ]),
  );
  expect(blows).not.toHaveProperty('403');
});
