import { expect, jest, test } from '@jest/globals';
import { repeated } from './pageCache.ts';

const draw = jest.fn((view: string, { proof, name }: Record<string, unknown>) => `${view} ${proof} ${name} ${proof}.`);
const page = (name: string, proof: string): string => repeated('list', { name, proof }, draw).toString();

test('a page that says the same is drawn once, and has each time the mark of its own', () => {
  expect([page('ä', 'one'), page('ä', '"two"'), page('b', 'one')]).toEqual([
    'list one ä one.',
    'list &quot;two&quot; ä &quot;two&quot;.',
    'list one b one.',
  ]);
  expect(draw).toHaveBeenCalledTimes(2);
});

test('what is too large is drawn each time', () => {
  draw.mockClear();
  for (const proof of ['one', 'two']) expect(page('x'.repeat(2_000_000), proof).length).toBeGreaterThan(2_000_000);
  expect(draw).toHaveBeenCalledTimes(2);
});
