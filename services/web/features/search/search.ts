import { type Model, webPath } from '@cadastre/model';
import { HttpError } from '@cadastre/service/errors';
import { bestFirst, type Found, hitsOf } from './found.ts';
import { pluralLabel } from '../../schema/labels.ts';
import { inOrder } from '../../shell/navigation.ts';
import type { PageOptions } from '../../context/pageOptions.ts';
import type { Page, Shown } from '../../context/pageRequest.ts';

/** The most objects of each type that are shown; while the user types, fewer. */
const EACH = 8;
const EACH_AS_TYPED = 3;

/** What a service finds of a type: the first objects, and their number, which is counted only up to a limit. */
interface Given {
  type: string;
  count: number;
  more: boolean;
  objects: Shown[];
}

/** Finds objects of all types that can be searched: one request for each service, all at the same time. */
export const searchPage = ({ catalogue, addresses }: PageOptions): Page => {
  const models = inOrder(catalogue).filter(
    (model) => !model.readOnly && webPath(model) !== undefined && 'q' in catalogue.filtersOf(model),
  );
  // While the user types, only these types are searched; all others when the form is sent.
  const first = models.filter(({ prominent }) => prominent);
  return {
    methods: ['GET'],
    async answer({ api, query, texts, partial }) {
      const asked = (query.get('q') ?? '').trim();
      const wanted = partial ? first : models;
      const each = partial ? EACH_AS_TYPED : EACH;
      const away: string[] = [];
      const of = (service: string): Promise<Given[]> =>
        api
          .found<Given[]>(
            service,
            new URLSearchParams([
              ['q', asked],
              ['each', String(each)],
              ...wanted
                .filter(({ name }) => catalogue.serviceOf(name) === service)
                .map(({ name }): [string, string] => ['type', name]),
            ]),
          )
          .catch((error: unknown) => {
            if (!(error instanceof HttpError) || error.status !== 503) throw error;
            away.push(service);
            return [];
          });
      const services = [...new Set(wanted.map(({ name }) => catalogue.serviceOf(name)!))];
      const given = asked ? (await Promise.all(services.map(of))).flat() : [];
      const byType = new Map(given.map((one) => [one.type, one]));
      const foundOf = (model: Model): Found[] => {
        const one = byType.get(model.name);
        if (!one) return [];
        return [
          {
            label: pluralLabel(model),
            href: `${webPath(model)}?${new URLSearchParams({ q: asked })}`,
            count: one.count,
            more: one.more,
            hits: hitsOf(one.objects, asked, addresses.pageOf),
          },
        ];
      };
      const found = bestFirst(wanted.flatMap(foundOf));
      return {
        view: partial ? 'search-results' : 'search',
        title: asked ? texts('searchFor', { text: asked }) : texts('search'),
        data: {
          asked,
          partial,
          found,
          away: away.toSorted().join(', '),
          types: models.map((model) => pluralLabel(model)),
          total: `${sum(found)}${found.some(({ more }) => more) ? '+' : ''}`,
        },
      };
    },
  };
};

const sum = (found: readonly Found[]): number => found.reduce((total, { count }) => total + count, 0);
