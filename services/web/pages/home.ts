import { HttpError } from '@cadastre/service/errors';
import { moment } from '../cells.ts';
import { html } from '@cadastre/pages';
import { apiPath, webPath } from '../model/addresses.ts';
import { pluralLabel } from '../model/labels.ts';
import type { PagesOptions } from '../pages.ts';
import type { Listed } from '@cadastre/pages';
import type { Page, Shown } from '../visit.ts';

/** The types that are counted at home. */
const COUNTED = [
  'dcim.site',
  'dcim.rack',
  'dcim.device',
  'ipam.prefix',
  'ipam.ipaddress',
  'ipam.vlan',
  'circuits.circuit',
  'virtualization.virtualmachine',
];

/** What somebody sees first: how much there is of what, and what has changed last. */
export const homePage = ({ catalogue, addresses }: PagesOptions): Page => ({
  methods: ['GET'],
  async answer({ api }) {
    const types = COUNTED.flatMap((type) => catalogue.models.get(type) ?? []);
    const [counts, changes] = await Promise.all([
      Promise.all(
        types.map(async (model) => ({
          label: pluralLabel(model),
          href: webPath(model)!,
          count: (await orNothing(api.get<Listed<Shown>>(`${apiPath(model)}?limit=1&fields=id`)))?.count,
        })),
      ),
      orNothing(api.get<Listed<Shown>>('/api/core/object-changes/?limit=15')),
    ]);
    return {
      view: 'home',
      title: 'Cadastre',
      data: {
        counts: counts.filter(({ count }) => count !== undefined),
        changes: changes?.results.map((one) => {
          const about = one['changed_object'] as { url?: string; display?: string } | null;
          const page = about?.url === undefined ? undefined : addresses.pageOf(about.url);
          const text = about?.display ?? String(one['object_repr'] ?? one.display);
          return {
            moment: moment(String(one['time'])),
            user: String(one['user_name'] ?? ''),
            action: one['action'] as { value: string; label: string },
            type: String(one['changed_object_type']),
            object: page ? html`<a href="${page}">${text}</a>` : html`${text}`,
          };
        }),
      },
    };
  },
});

/** What somebody may not see is left out. */
async function orNothing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof HttpError && error.status === 403) return undefined;
    throw error;
  }
}
