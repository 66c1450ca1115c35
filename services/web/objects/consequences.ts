import type { Model, OnDelete } from '@cadastre/model';
import { html, type Html, type Listed } from '@cadastre/pages';
import type { Addresses } from '../model/addresses.ts';
import { apiPath } from '../model/addresses.ts';
import type { Shown, Visit } from '../visit.ts';
import { CONTACTS, IMAGES, JOURNAL, listAbout } from './about.ts';
import { orNothing, type Referring, referringTo } from './referring.ts';

/** Objects of a model that refer to what is to be deleted. */
export interface Dependents {
  label: string;
  count: number;
  href: string | undefined;
  /** The first of them. */
  first: Html[];
  more: number;
}

export interface Consequences {
  /** The deletion is refused because of them. */
  protecting: Dependents[];
  /** They are deleted, too. */
  going: Dependents[];
  /** They stay, and no longer refer to it. */
  loosened: Dependents[];
  /** Types whose objects may be concerned, but cannot be counted. */
  unknown: string[];
}

/** So many of each are named. */
const NAMED = 5;

type Found = { onDelete: OnDelete; of: Dependents } | { unknown: string } | undefined;

/** What a deletion would do, as far as whoever asks may see it: at most one request for each model that refers. */
export async function consequencesOf(
  visit: Visit,
  addresses: Addresses,
  model: Model,
  id: number,
): Promise<Consequences> {
  const { catalogue, texts } = visit;
  const [referring, about] = await Promise.all([
    Promise.all(referringTo(catalogue, model.name).map((one) => dependents(visit, addresses, one, id))),
    Promise.all(
      (
        [
          [CONTACTS, texts('contacts')],
          [IMAGES, texts('images')],
          [JOURNAL, texts('journal')],
        ] as const
      ).map(async ([one, label]): Promise<Found> => {
        const list = await listAbout(visit, one, model, id, 'limit=1&fields=id');
        return list && { onDelete: 'cascade', of: { label, count: list.count, href: undefined, first: [], more: 0 } };
      }),
    ),
  ]);
  const all = [...referring, ...about];
  const which = (wanted: OnDelete): Dependents[] =>
    all.flatMap((one) => (one && 'of' in one && one.onDelete === wanted && one.of.count ? [one.of] : []));
  return {
    protecting: which('protect'),
    going: which('cascade'),
    loosened: which('setNull'),
    unknown: all.flatMap((one) => (one && 'unknown' in one ? [one.unknown] : [])),
  };
}

async function dependents(visit: Visit, addresses: Addresses, one: Referring, id: number): Promise<Found> {
  const { api, may } = visit;
  const query = one.query(id);
  const list =
    query !== undefined && (await may('view', one.model.name))
      ? await orNothing(api.get<Listed<Shown>>(`${apiPath(one.model)}?${query}&limit=${NAMED}&brief=true`))
      : undefined;
  if (!list) return one.onDelete === 'setNull' ? undefined : { unknown: one.label };
  const first = list.results.map((object) => {
    const page = addresses.pageOf(object.url);
    return page ? html`<a href="${page}">${object.display}</a>` : html`${object.display}`;
  });
  return {
    onDelete: one.onDelete,
    of: {
      label: one.label,
      count: list.count,
      href: one.page && `${one.page}?${query}`,
      first,
      more: list.count - first.length,
    },
  };
}
