import type { Model } from '@cadastre/model';
import type { Listed } from '@cadastre/pages';
import { allowed } from '../everywhere/allowed.ts';
import { bestFirst, type Found, hitsOf } from '../everywhere/found.ts';
import { apiPath, webPath } from '../model/addresses.ts';
import { pluralLabel } from '../model/labels.ts';
import { inOrder } from '../navigation.ts';
import type { PagesOptions } from '../pages.ts';
import type { Page, Shown } from '../visit.ts';

/** So many objects of each type are shown; while somebody types, fewer. */
const EACH = 8;
const EACH_AS_TYPED = 3;

/** Finds objects of all types that can be searched: one request for each type, all at the same time. */
export const searchPage = ({ catalogue, addresses }: PagesOptions): Page => {
  const models = inOrder(catalogue).filter(
    (model) => !model.readOnly && webPath(model) !== undefined && 'q' in catalogue.filtersOf(model),
  );
  // Of these people hear while they type, of all others when they have sent the form.
  const first = models.filter(({ prominent }) => prominent);
  return {
    methods: ['GET'],
    async answer({ api, query, texts, partial }) {
      const asked = (query.get('q') ?? '').trim();
      const of = async (model: Model): Promise<Found[]> => {
        const filter = new URLSearchParams({ q: asked });
        const limit = partial ? EACH_AS_TYPED : EACH;
        const list = await allowed(api.get<Listed<Shown>>(`${apiPath(model)}?${filter}&brief=true&limit=${limit}`));
        if (!list?.count) return [];
        return [
          {
            label: pluralLabel(model),
            href: `${webPath(model)}?${filter}`,
            count: list.count,
            hits: hitsOf(list.results, asked, addresses.pageOf),
          },
        ];
      };
      const found = asked ? bestFirst((await Promise.all((partial ? first : models).map(of))).flat()) : [];
      return {
        view: partial ? 'search-results' : 'search',
        title: asked ? texts('searchFor', { text: asked }) : texts('search'),
        data: { asked, partial, found, types: models.map((model) => pluralLabel(model)), total: sum(found) },
      };
    },
  };
};

const sum = (found: readonly Found[]): number => found.reduce((total, { count }) => total + count, 0);
