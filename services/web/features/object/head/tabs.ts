import type { Model } from '@cadastre/model';
import type { Shown } from '@cadastre/pages';
import { titleLabel } from '../../../schema/labels.ts';
import { CONTACTS, IMAGES, JOURNAL, listAbout } from '../panels/about.ts';
import { countOf, referringTo } from '../../../context/referring.ts';
import type { PageOptions } from '../../../context/pageOptions.ts';
import type { PageRequest } from '../../../context/pageRequest.ts';

export interface Tab {
  label: string;
  href: string;
  here: boolean;
  /** The number of objects in its list. */
  count?: number | undefined;
}

/** A tab; with `always`, it is shown even if its list is empty. */
type Found = Omit<Tab, 'here'> & { always: boolean };

/**
 * The tabs of an object: those that all objects have, those that the model's service adds, and one for each kind of
 * parts; tabs with a list only if it has something in it.
 */
export async function tabsOf(
  request: PageRequest,
  model: Model,
  object: Shown,
  address: string,
  { catalogue, parts }: Pick<PageOptions, 'catalogue' | 'parts'>,
): Promise<Tab[]> {
  const { texts, path } = request;
  const own = parts.panels
    .filter(({ on, as, has }) => on === model.name && as === 'tab' && (!has || has(object)))
    .map(({ title, name }): Found => ({ label: titleLabel(title), href: `${address}${name}/`, always: true }));
  const children = referringTo(catalogue, model.name).filter(({ child }) => child);
  const about = [
    { one: CONTACTS, label: texts('contacts'), name: 'contacts' },
    { one: IMAGES, label: texts('images'), name: 'images' },
    { one: JOURNAL, label: texts('journal'), name: 'journal' },
  ];
  const [parted, said] = await Promise.all([
    Promise.all(
      children.map(async (one): Promise<Found> => {
        const count = await countOf(request, model, object, one);
        return { label: one.label, href: `${address}${one.model.path}/`, count, always: false };
      }),
    ),
    Promise.all(
      about.map(async ({ one, label, name }): Promise<Found[]> => {
        const list = await listAbout(request, one, model, object.id, 'limit=1&fields=id');
        return list ? [{ label, href: `${address}${name}/`, count: list.count, always: true }] : [];
      }),
    ),
  ]);
  const all: Found[] = [
    { label: texts('details'), href: address, always: true },
    ...own,
    ...parted,
    ...said.flat(),
    ...(model.features.has('changeLogging')
      ? [{ label: texts('changelog'), href: `${address}changelog/`, always: true }]
      : []),
  ];
  return all
    .map(({ always, ...tab }) => ({ ...tab, here: path === tab.href, shown: always || (tab.count ?? 0) > 0 }))
    .flatMap(({ shown, ...tab }) => (shown || tab.here ? [tab] : []));
}
