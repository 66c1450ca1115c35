import { apiPath, type Model, webPath } from '@cadastre/model';
import { html, type Html, type Listed } from '@cadastre/pages';
import type { Addresses } from '../../../schema/addresses.ts';
import { pluralLabel } from '../../../schema/labels.ts';
import type { Shown, PageRequest } from '../../../context/pageRequest.ts';
import { orNothing } from '../../../context/refusals.ts';

/** Objects of one type that a deletion affects. */
interface Dependents {
  label: string;
  count: number;
  href: string | undefined;
  /** The first of them. */
  first: Html[];
  more: number;
}

export interface Consequences {
  /** Objects because of which the deletion is refused. */
  protecting: Dependents[];
  /** Objects that would no longer be unique, so that the deletion is refused. */
  clashing: Dependents[];
  /** They are deleted, too. */
  going: Dependents[];
  /** Objects that are kept, and no longer refer to it. */
  loosened: Dependents[];
}

/** The most objects of each type that are named, and the most ids in the address of a list. */
const NAMED = 5;

interface Foreseen {
  object_type: string;
  count: number;
  ids: number[];
}
type Answer = Record<'deleted' | 'protecting' | 'changed' | 'clashing', Foreseen[]>;

/**
 * The consequences of deleting some objects, as the API predicts them: one request, and one for the names of each type.
 */
export async function consequencesOf(
  request: PageRequest,
  addresses: Addresses,
  model: Model,
  ids: readonly number[],
): Promise<Consequences> {
  const { body } = await request.api.ask<Answer>('POST', `${apiPath(model)}deletion-preview/`, {
    body: ids.map((id) => ({ id })),
  });
  const named = (all: readonly Foreseen[]) =>
    Promise.all(all.map((one) => dependents(request, addresses, one))).then((some) => some.flat());
  const [protecting, clashing, going, loosened] = await Promise.all(
    [body.protecting, body.clashing, body.deleted, body.changed].map(named),
  );
  return { protecting: protecting!, clashing: clashing!, going: going!, loosened: loosened! };
}

async function dependents(
  { api, catalogue, may }: PageRequest,
  addresses: Addresses,
  { object_type: type, count, ids }: Foreseen,
): Promise<Dependents[]> {
  const model = catalogue.models.get(type);
  // Internal rows are not shown to users as objects.
  if (!model || model.part === 'hidden') return [];
  const query = ids.slice(0, NAMED).map((id) => `id=${id}`);
  const list = (await may('view', type))
    ? await orNothing(api.get<Listed<Shown>>(`${apiPath(model)}?${query.join('&')}&brief=true&limit=${NAMED}`))
    : undefined;
  const first = (list?.results ?? []).map((object) => {
    const page = addresses.pageOf(object.url);
    return page ? html`<a href="${page}">${object.display}</a>` : html`${object.display}`;
  });
  const home = webPath(model);
  return [
    {
      label: pluralLabel(model),
      count,
      href: home && count === ids.length ? `${home}?${ids.map((id) => `id=${id}`).join('&')}` : undefined,
      first,
      more: first.length ? count - first.length : 0,
    },
  ];
}
