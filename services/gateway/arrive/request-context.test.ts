import { expect, test } from '@jest/globals';
import { repeatedHeader } from './request-context.ts';

test.each<[string[], string | undefined]>([
  [['Host', 'a', 'Authorization', 'b', 'Cookie', 'c', 'Cookie', 'd', 'Content-Type', 'e'], undefined],
  [['authorization', 'a', 'Host', 'h', 'AUTHORIZATION', 'a'], 'Authorization'],
  [['Host', 'a', 'host', 'a'], 'Host'],
  [['content-type', 'a', 'Content-Type', 'b'], 'Content-Type'],
  // Other headers of the same length as one of these.
  [['Accept-Encod', 'a', 'Authorizatiom', 'b', 'Authorizatiom', 'c'], undefined],
])('%j: %s', (raw, repeated) => expect(repeatedHeader(raw)).toBe(repeated));
