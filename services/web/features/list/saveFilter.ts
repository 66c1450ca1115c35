import { apiPath, type Json, type Model, webPath } from '@cadastre/model';
import { addressWith, filtersIn } from '../../ui/url/listQuery.ts';
import type { PageOptions } from '../../context/pageOptions.ts';
import { orAgain } from './again.ts';
import type { ModelPage, PageRequest } from '../../context/pageRequest.ts';
import type { Answer } from '../../ui/page/answer.ts';

/** Saves the present filters of a list under a name, and shows the list with that saved filter. */
export const saveFilterPage = (options: PageOptions): ModelPage => ({
  methods: ['POST'],
  answer: (request, model) => orAgain(request, model, options, 'filters', () => save(request, model, options)),
});

async function save(
  { submitted, query, api, user }: PageRequest,
  model: Model,
  { catalogue }: PageOptions,
): Promise<Answer> {
  const name = submitted.fields.get('name')?.trim() ?? '';
  const parameters: Record<string, Json[]> = {};
  for (const [parameter, value] of filtersIn(query))
    if (parameter !== 'filter' && parameter !== 'filter_id') (parameters[parameter] ??= []).push(value);
  const { body } = await api.ask<{ slug: string }>('POST', apiPath(catalogue.get('extras.savedfilter')), {
    body: {
      name,
      slug: slugOf(name),
      object_types: [model.name],
      user: user.userId,
      shared: submitted.fields.has('shared'),
      parameters,
    },
  });
  return { to: addressWith(webPath(model)!, new URLSearchParams({ filter: body.slug })) };
}

const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 100) || 'filter';
