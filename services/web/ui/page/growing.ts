import { escaped } from '@cadastre/pages';
import type { Answer, Shows, Underway } from './answer.ts';

/** Marks the places in the first page for what follows: the progress messages, and the result. */
const HERE = '\u0001here\u0001';

/** A page that grows until its work is done; by its style, each message replaces the one before it. */
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
