import { expect, it } from '@jest/globals';
import { isTransient } from './transient.ts';

const failure = (code: unknown, message = 'failed'): Error => Object.assign(new Error(message), { code });

it.each([
  ['a refused connection', failure('ECONNREFUSED')],
  ['a deadlock', failure('40P01')],
  ['a server that shuts down', failure('57P01')],
  ['too many connections', failure('53300')],
  ['an unavailable gRPC service', failure(14)],
  ['a connection that pg lost', new Error('Connection terminated unexpectedly')],
  ['a connection on which no answer comes', new Error('Query read timeout')],
  ['what one of these caused', new Error('wrapped', { cause: failure('ECONNRESET') })],
])('%s passes by itself', (_name, error) => expect(isTransient(error)).toBe(true));

it.each([
  ['a unique violation', failure('23505')],
  ['a cancelled statement', failure('57014')],
  ['a gRPC NOT_FOUND', failure(5)],
  ['a bug', new TypeError('x is undefined')],
  ['what is no error', 'ECONNREFUSED'],
])('%s does not', (_name, error) => expect(isTransient(error)).toBe(false));
