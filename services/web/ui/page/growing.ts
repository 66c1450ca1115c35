import { escaped } from '@cadastre/pages';
import type { Answer, Shows, Underway } from './answer.ts';

/** Stands in the first page where what comes later goes: what is told on the way, and what came of it. */
const HERE = '\u0001here\u0001';

/** A page that grows until its work is over: what is told later takes the place of what was told before, by its style. */
export async function* growing(
  { first, words, last }: Underway,
  draw: (shows: Shows, more: { partial: boolean; here?: string }) => string,
): AsyncGenerator<string> {
  const [head = '', middle = '', tail = ''] = draw(first, { partial: false, here: HERE }).split(HERE);
  yield head;
  for await (const word of words) yield `<p class="word">${escaped(word)}</p>\n`;
  const answer: Answer = await last;
  if (!('view' in answer)) throw new Error('what is underway ends with a page');
  yield middle + draw(answer, { partial: true }) + tail;
}
