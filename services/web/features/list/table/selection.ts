import { apiPath, type Model } from '@cadastre/model';
import type { Listed } from '@cadastre/pages';
import { HttpError } from '@cadastre/service/errors';
import type { Shown, PageRequest } from '../../../context/pageRequest.ts';
import { selecting } from '../../../ui/url/listQuery.ts';

/** The objects that the user has selected for an action. */
export interface Selection {
  objects: Shown[];
  /** Whether the selection is everything that the filters of the address select, rather than ticked rows. */
  all: boolean;
}

/** How many ids stand in one address at most. */
const IDS = 500;
const PAGE = 1_000;
/** The most objects of one action, as they are held in memory. */
const MOST_SELECTED = 100_000;

/** All objects that parameters select, page by page in the order of their ids. */
export async function* pagesOfAll<T extends { id: number } = Shown>(
  { api }: Pick<PageRequest, 'api'>,
  model: Model,
  parameters: URLSearchParams,
): AsyncGenerator<T[]> {
  for (let start: string | null = '0'; start !== null; ) {
    const asked = new URLSearchParams(parameters);
    asked.set('limit', String(PAGE));
    asked.set('start', start);
    const { body } = await api.ask<Listed<T> & { next: string | null }>('GET', `${apiPath(model)}?${asked}`, {
      headers: { prefer: 'handling=strict' },
    });
    yield body.results;
    start = body.next === null ? null : new URL(body.next, 'http://local').searchParams.get('start');
  }
}

/**
 * The objects that a form or an address selects by id (`pk`), or the whole list (`_all`), with some of their members.
 */
export async function selectionOf(request: PageRequest, model: Model, members: readonly string[]): Promise<Selection> {
  const { submitted, query, api } = request;
  const fields = ['id', 'url', 'display', ...members].join(',');
  if (submitted.fields.has('_all')) {
    const parameters = selecting(query);
    parameters.set('fields', fields);
    const objects: Shown[] = [];
    for await (const page of pagesOfAll(request, model, parameters)) {
      objects.push(...page);
      if (objects.length > MOST_SELECTED)
        throw new HttpError(400, { detail: request.texts('tooManySelected', { most: MOST_SELECTED }) });
    }
    return { objects, all: true };
  }
  const ids = [...new Set([...submitted.fields.getAll('pk'), ...query.getAll('pk')])].filter((id) =>
    /^\d{1,15}$/.test(id),
  );
  const objects: Shown[] = [];
  for (let i = 0; i < ids.length; i += IDS) {
    const asked = new URLSearchParams(ids.slice(i, i + IDS).map((id): [string, string] => ['id', id]));
    asked.set('fields', fields);
    asked.set('limit', String(IDS));
    objects.push(...(await api.get<Listed<Shown>>(`${apiPath(model)}?${asked}`)).results);
  }
  return { objects, all: false };
}
