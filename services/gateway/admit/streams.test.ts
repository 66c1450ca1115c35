import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { Identity } from '@cadastre/service/identity';
import type { Admit, Admitted } from './admission.ts';
import { keepIdentity, streams } from './streams.ts';

const user: Identity = {
  anonymous: false,
  userId: 1,
  username: 'a',
  superuser: false,
  permissionsVersion: 1,
  tokenId: 2,
  writeEnabled: true,
};
const admitted = (identity: Identity): Admitted => ({ identity, signed: '', clientIp: '', base: '' });

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** An answer that goes on for a client with a token. */
function opened(admit: Admit) {
  const req = { method: 'GET' } as IncomingMessage;
  const res = new EventEmitter() as unknown as ServerResponse;
  const end = jest.fn();
  keepIdentity(req, user);
  const all = streams(admit);
  all.watch(req, res, end);
  return { all, req, res, end };
}

test.each<[string, () => Promise<Admitted | { status: number; detail: string }>, number]>([
  ['who would be admitted as before goes on', async () => admitted({ ...user }), 0],
  ['who would be refused is ended, once', async () => ({ status: 403, detail: 'Token expired' }), 1],
  ['who has other permissions now is ended', async () => admitted({ ...user, permissionsVersion: 2 }), 1],
  ['while nobody can say, it goes on', () => Promise.reject(new Error('auth is away')), 0],
])('%s', async (_, answer, ends) => {
  const admit = jest.fn<Admit>(answer as Admit);
  const { all, req, res, end } = opened(admit);
  all.look();
  all.look();
  await jest.advanceTimersByTimeAsync(1_300);
  expect(end).toHaveBeenCalledTimes(ends);
  expect(admit.mock.calls[0]![0]).toBe(req);
  res.emit('close');
  const asked = admit.mock.calls.length;
  await jest.advanceTimersByTimeAsync(700);
  expect(admit.mock.calls.length).toBe(asked);
});

test('it is looked by itself, as tokens expire without a word', async () => {
  let now: Admitted | { status: number; detail: string } = admitted(user);
  const { res, end } = opened(async () => now);
  await jest.advanceTimersByTimeAsync(700);
  expect(end).not.toHaveBeenCalled();
  now = { status: 403, detail: 'Token expired' };
  await jest.advanceTimersByTimeAsync(900);
  expect(end).toHaveBeenCalledTimes(1);
  res.emit('close');
});
