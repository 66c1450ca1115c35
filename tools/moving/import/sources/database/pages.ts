import type { Dict } from '@cadastre/model';
import type { Ask } from './layout.ts';
import type { Plan } from './plan.ts';

/** How much text one statement fetches, in characters: objects may be of any size. */
const PAGE_TEXT = 4_000_000;
/** How many objects are fetched before their size is known. */
const AT_FIRST = 100;

/**
 * The objects above an id, page by page; the next page is requested while the last one is processed. Each begins above
 * the highest id so far, so no connection is held between them.
 * @param most the largest number of objects in a page
 */
export async function* objectsOf(
  ask: Ask,
  { page, finish }: Pick<Plan, 'page' | 'finish'>,
  after: number,
  most: number,
): AsyncGenerator<Dict> {
  let limit = Math.min(AT_FIRST, most);
  let next: Promise<unknown[][]> | undefined = ask(page, [after, limit]);
  while (next) {
    const texts: string[] = (await next).map(([text]) => text as string);
    const isLast: boolean = texts.length < limit;
    limit = fitting(texts, most);
    next = isLast ? undefined : ask(page, [parsed(texts.at(-1)!)['id'], limit]);
    // A consumer that stops early never awaits this promise.
    next?.catch(() => undefined);
    // Parsed one at a time, as objects take many times the memory of their texts.
    for (const text of texts) yield finish(parsed(text));
  }
}

const parsed = (text: string): Dict => JSON.parse(text) as Dict;

/** How many objects to fetch for the next page, if they are as large as the others. */
function fitting(texts: readonly string[], most: number): number {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  return Math.max(1, Math.min(most, Math.floor((texts.length * PAGE_TEXT) / Math.max(length, 1))));
}
