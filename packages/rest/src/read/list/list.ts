import type { Model } from '@cadastre/model';
import type { Requester } from '../../core/requester.ts';
import { runner, type Waiter } from '../../db/limiter/guarded.ts';
import { Parts } from '../../serialize/parts.ts';
import type { ReadEngine } from '../engine.ts';
import { planOf } from '../planned.ts';
import { pageLink, type Query } from '../query/query.ts';
import type { AskedList } from './asked.ts';
import { loadedPage, type Page, cachedPage } from './page.ts';
import { totalOf } from './totals.ts';

/** Where the client sent the request: scheme and host, and the path; and how long it waits. */
export interface Address extends Waiter {
  base: string;
  path: string;
}

/** JSON text of a page of objects. */
export const list = async (...asked: Parameters<typeof listParts>): Promise<string> =>
  String(await listParts(...asked));

/** The same in parts, as it is sent: GET of a list, stage by stage. */
export async function listParts(
  engine: ReadEngine,
  model: Model,
  query: Query,
  who: Requester,
  address: Address,
  strict = false,
  long = false,
): Promise<Parts> {
  const invalidated = engine.invalidations.begin();
  // Filter values are turned into ids that this process remembers, so they wait for the poll; a plain page does not.
  if (query.filters.length || query.saved) await invalidated;
  const plan = await planOf(engine, model, query, who, strict);
  const run = runner(engine, { regexes: plan.regexes, long }, who, address);
  const asked: AskedList = { engine, model, query, who, base: address.base, plan, run, invalidated };
  const page = (await cachedPage(asked)) ?? (await loadedPage(asked));
  const total = await totalOf(asked);
  return pageText(query, page, total, address);
}

function pageText(query: Query, shown: Page, total: number | null, address: Address): Parts {
  const { page } = query;
  const here = address.base + address.path;
  let next: string | null = null;
  let previous: string | null = null;
  if (page.mode === 'cursor') {
    if (shown.more)
      next = pageLink(here, query.all, { limit: String(page.limit), start: String(Number(shown.last) + 1) });
  } else if (page.limit) {
    const { limit, offset } = page;
    if (offset + limit < total!)
      next = pageLink(here, query.all, { limit: String(limit), offset: String(offset + limit) });
    if (offset > 0)
      previous = pageLink(here, query.all, {
        limit: String(limit),
        offset: offset > limit ? String(offset - limit) : null,
      });
  }
  return new Parts(
    `{"count":${total},"next":${JSON.stringify(next)},"previous":${JSON.stringify(previous)},"results":[`,
    shown.text,
    ']}',
  );
}
