import type { Model } from '@cadastre/model';
import { moment, shown, tag } from '../cells.ts';
import { cloneQuery } from '../forms/clone.ts';
import type { Html } from '@cadastre/pages';
import { apiPath, webPath } from '../model/addresses.ts';
import { fieldLabel, pluralLabel, singularLabel } from '../model/labels.ts';
import { countFields, isLong, ownFields } from '../model/members.ts';
import type { PagesOptions } from '../pages.ts';
import { tabsOf } from '../tabs.ts';
import { viewOf } from '../view.ts';
import type { ModelPage, Shown, Visit } from '../visit.ts';

type Row = { label: string; value: Html };

/** One object: its fields in groups, what is related to it, and what is said of it. */
export const objectPage = ({ catalogue, addresses, parts }: PagesOptions): ModelPage => ({
  methods: ['GET'],
  async answer(visit, model, id) {
    const { api, texts } = visit;
    const object = await api.get<Shown>(`${apiPath(model)}${id}/`);
    const showing = { addresses, texts };
    const fields = ownFields(model);
    const rowOf = (name: string): Row => ({
      label: fieldLabel(name),
      value: shown(object[name], model.fields[name], showing),
    });
    return {
      view: 'object',
      title: object.display,
      data: {
        ...(await headOf(visit, model, object, parts)),
        panels: await panelsOf(visit, model, object, { addresses, parts }),
        rows: fields.filter((one) => !isLong(one)).map(([name]) => rowOf(name)),
        long: fields
          .filter(isLong)
          .filter(([name]) => object[name] !== null && object[name] !== '')
          .map(([name]) => ({ label: fieldLabel(name), text: longText(object[name]) })),
        comments: typeof object['comments'] === 'string' ? object['comments'] : undefined,
        tags: tagsOf(object, webPath(model)!),
        customFields: Object.entries((object['custom_fields'] ?? {}) as Record<string, never>).map(([name, value]) => ({
          label: fieldLabel(name),
          value: shown(value, undefined, showing),
        })),
        related: countFields(model).flatMap(([name, { reverse }]) => {
          const from = reverse && catalogue.models.get(reverse.from);
          const page = from && webPath(from);
          const filter = `${reverse?.field.replace(/^_/, '')}_id`;
          const leads = from && page && filter in catalogue.filtersOf(from);
          return [
            {
              label: from ? pluralLabel(from) : fieldLabel(name),
              count: Number(object[name] ?? 0),
              href: leads ? `${page}?${filter}=${id}` : undefined,
            },
          ];
        }),
        created: object['created'] ? moment(String(object['created'])) : undefined,
        updated: object['last_updated'] ? moment(String(object['last_updated'])) : undefined,
      },
    };
  },
});

/** What stands over every page of an object. */
export async function headOf(
  { path, may, texts, catalogue }: Visit,
  model: Model,
  object: Shown,
  parts: PagesOptions['parts'],
) {
  const home = webPath(model)!;
  const mayDo = async (action: string): Promise<boolean> => !model.readOnly && (await may(action, model.name));
  return {
    mayEdit: await mayDo('change'),
    mayDelete: await mayDo('delete'),
    mayAdd: await mayDo('add'),
    clone: `${home}add/?${cloneQuery(model, object, catalogue)}`,
    model: { label: singularLabel(model), plural: pluralLabel(model), home },
    object,
    address: `${home}${object.id}/`,
    tabs: tabsOf(model, object, `${home}${object.id}/`, path, parts, texts),
  };
}

/** The panels that only this model's objects have. */
async function panelsOf(
  visit: Visit,
  model: Model,
  object: Shown,
  { addresses, parts }: Pick<PagesOptions, 'addresses' | 'parts'>,
): Promise<{ title: string; name: string; body: Html }[]> {
  const view = { ...viewOf(visit, addresses), object };
  const all = await Promise.all(
    parts.panels
      .filter(({ on, as, has }) => on === model.name && as === 'panel' && (!has || has(object)))
      .map(async ({ title, name, render }) => ({ title, name, body: await render(view) })),
  );
  return all.flatMap(({ title, name, body }) => (body === undefined ? [] : [{ title, name, body }]));
}

const longText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

const tagsOf = (object: Shown, home: string): Html[] =>
  ((object['tags'] ?? []) as { slug?: string; display?: string; color?: string }[]).map((one) =>
    tag(one, `${home}?tag=${encodeURIComponent(one.slug ?? '')}`),
  );
