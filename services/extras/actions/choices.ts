import type { Json } from '@cadastre/model';
import {
  type ActionHandler,
  detail,
  type Engine,
  pageLink,
  pageOf,
  pageParameters,
  parameter,
  parseQuery,
  recordOf,
} from '@cadastre/rest';
import { baseChoices } from '../models/customizing/baseChoices.ts';
import { customFieldChoiceSet } from '../models/customizing/customFieldChoiceSet.ts';

interface ChoiceSet {
  base_choices: { value: string } | null;
  extra_choices: [string, string][];
  order_alphabetically: boolean;
}

/** What a set offers: base choices, then its own; in the order of the values where the set says so. */
export function offeredBy({
  base_choices: base,
  extra_choices: extra,
  order_alphabetically: ordered,
}: ChoiceSet): [string, string][] {
  const all = [...(base ? (baseChoices(base.value) ?? []) : []), ...extra];
  return ordered ? all.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)) : all;
}

/**
 * GET /api/extras/custom-field-choice-sets/<id>/choices/: what selection fields with the set offer, page by page; `?q=`
 * searches.
 */
export const choices = (engine: Engine): ActionHandler => ({
  methods: ['GET', 'HEAD', 'OPTIONS'],
  operations: {
    GET: {
      summary: 'List what selection fields with a choice set offer',
      parameters: [parameter('q', { type: 'string' }, 'Choices that contain this.'), ...pageParameters],
      answer: pageOf(recordOf({ id: { type: 'string' }, display: { type: 'string' } })),
    },
  },
  async handle(request, id) {
    const query = parseQuery(request.search, engine.settings);
    const plain = parseQuery('', engine.settings);
    const set = JSON.parse(
      (await detail(engine, customFieldChoiceSet, id!, plain, request.who, request.base)).text,
    ) as ChoiceSet;
    const wanted = (query.all.get('q') ?? '').toLowerCase();
    const found = offeredBy(set).filter(
      ([value, label]) => value.toLowerCase().includes(wanted) || label.toLowerCase().includes(wanted),
    );
    const limit = query.page.limit || found.length;
    const offset = query.page.mode === 'offset' ? query.page.offset : 0;
    const here = request.base + request.path;
    const link = (to: number) =>
      pageLink(here, query.all, { limit: String(limit), offset: to > 0 ? String(to) : null });
    const body: Json = {
      count: found.length,
      next: offset + limit < found.length ? link(offset + limit) : null,
      previous: offset > 0 ? link(offset - limit) : null,
      results: found.slice(offset, offset + limit).map(([value, label]) => ({ id: value, display: label })),
    };
    return { status: 200, headers: { Allow: 'GET, HEAD, OPTIONS' }, body: JSON.stringify(body) };
  },
});
