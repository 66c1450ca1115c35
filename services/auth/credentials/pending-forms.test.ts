import { beforeEach, expect, test } from '@jest/globals';
import { savePendingForm, takePendingForm } from './pending-forms.ts';
import { db, sql } from '../testing/database.ts';

beforeEach(async () => {
  await sql('delete from pending_form');
});

const limits = { pendingForms: 5, pendingFormsPerAddress: 3, pendingFormSeconds: 60 };
const keep = (key: string, address = '192.0.2.1', more = {}) =>
  savePendingForm(db, { key, content: `content of ${key}`, address }, { ...limits, ...more });

test('what is kept is taken once, by its key, which the database does not tell', async () => {
  expect(await keep('one')).toBe(true);
  const [stored] = await sql('select * from pending_form');
  expect([stored!['key'], await takePendingForm(db, String(stored!['key']))]).toEqual([
    expect.not.stringContaining('one'),
    null,
  ]);
  expect([await takePendingForm(db, 'one'), await takePendingForm(db, 'one')]).toEqual(['content of one', null]);
});

test('it is not for long, and is gone with the next', async () => {
  await keep('one');
  await keep('two');
  await sql("update pending_form set until = now() - interval '1 second'");
  expect(await takePendingForm(db, 'one')).toBeNull();
  await keep('three');
  expect(await sql('select content from pending_form')).toEqual([{ content: 'content of three' }]);
});

test('of too many from one address the oldest goes; all together are no more than there is room for', async () => {
  for (const [at, key] of ['a', 'b', 'c', 'd'].entries())
    expect(await keep(key, '192.0.2.1', { pendingFormSeconds: 60 + at })).toBe(true);
  expect(await takePendingForm(db, 'a')).toBeNull();
  expect(await keep('e', '192.0.2.2')).toBe(true);
  expect(await keep('f', '192.0.2.3')).toBe(true);
  expect(await keep('g', '192.0.2.4')).toBe(false);
  // At the limit for an address, a new form replaces an old one.
  expect(await keep('h', '192.0.2.1', { pendingFormSeconds: 90 })).toBe(true);
  expect([await takePendingForm(db, 'b'), await takePendingForm(db, 'e'), await takePendingForm(db, 'h')]).toEqual([
    null,
    'content of e',
    'content of h',
  ]);
});
