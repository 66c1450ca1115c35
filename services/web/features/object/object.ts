import { apiPath, type Json, type Model, webPath } from '@cadastre/model';
import { moment, type Showing, shownMember, tag } from '../../schema/valueHtml.ts';
import { html, type Html, type Panel } from '@cadastre/pages';
import { csrfField } from '@cadastre/service/web';
import { groupsOf } from '../../schema/groups.ts';
import { fieldLabel, singularLabel, titleLabel } from '../../schema/labels.ts';
import { isLong, ownFields, pairsOf } from '../../schema/members.ts';
import { widgetsOf } from '../../schema/widgets.ts';
import { changeRecord } from './changes/changeRecord.ts';
import { customGroups } from './panels/customFieldGroups.ts';
import { isNothing, isStructured } from './panels/values.ts';
import { headOf } from './head/head.ts';
import { markdown } from './panels/markdown.ts';
import { toggle } from './panels/toggles.ts';
import { rowsTable } from './panels/rowsTable.ts';
import { readable } from './panels/readable.ts';
import { relatedTo } from './panels/related.ts';
import type { PageOptions } from '../../context/pageOptions.ts';
import { viewOf } from '../../context/pageView.ts';
import { allowed } from '../../context/refusals.ts';
import type { ModelPage, Shown, PageRequest } from '../../context/pageRequest.ts';

/** One object: its fields in groups, its related objects, and its journal, contacts and images. */
export const objectPage = (options: PageOptions): ModelPage => ({
  methods: ['GET', 'POST'],
  async answer(request, model, id) {
    const { api, texts, submitted } = request;
    // Change records have a page of their own, which shows the changes in them.
    if (model.fromEvents) return changeRecord(request, model, id, options);
    const home = webPath(model)!;
    if (submitted.fields.has(csrfField)) {
      await toggle(request, model, id, submitted.fields.get('toggle') ?? '');
      const back = submitted.fields.get('back') ?? '';
      return { to: back.startsWith(`${home}${id}/`) ? back : `${home}${id}/` };
    }
    const object = await api.get<Shown>(`${apiPath(model)}${id}/`);
    const showing = { addresses: options.addresses, catalogue: options.catalogue, texts };
    const [head, panels, customFields, related, rows] = await Promise.all([
      headOf(request, model, object, options),
      panelsOf(request, model, object, options),
      customGroups(request, model, object, showing),
      relatedTo(request, model, object),
      rowTables(request, model, object),
    ]);
    const { groups, long } = membersOf(model, object, options, showing, rows);
    return {
      view: 'object',
      title: object.display,
      data: {
        ...head,
        panels,
        groups,
        long,
        comments: typeof object['comments'] === 'string' ? markdown(object['comments']) : undefined,
        tags: tagsOf(object, home),
        customFields,
        related,
        created: object['created'] ? moment(String(object['created'])) : undefined,
        updated: object['last_updated'] ? moment(String(object['last_updated'])) : undefined,
      },
    };
  },
});

/** Fields in groups, with the names of the empty ones; and a panel for each long text and each structured value. */
function membersOf(
  model: Model,
  object: Shown,
  { parts }: PageOptions,
  showing: Showing,
  rows: ReadonlyMap<string, Html>,
) {
  const elsewhere = new Set(parts.panels.flatMap(({ on, shows = [] }) => (on === model.name ? shows : [])));
  // A relation shows its type and id itself; when all of them are empty, naming the relation once is enough.
  const pairs = pairsOf(model);
  const isTold = (name: string): boolean => {
    const by = pairs.get(name);
    return by !== undefined && by in object && isNothing(object[by]) === isNothing(object[name]);
  };
  const fields = ownFields(model).filter(([name]) => !elsewhere.has(name) && !isTold(name));
  const isPanel = (one: (typeof fields)[number]): boolean =>
    rows.has(one[0]) || isLong(one) || isStructured(object[one[0]]);
  const told = fields.filter((one) => !isPanel(one)).map(([name, field]) => ({ name, field }));
  const groups = groupsOf(model, told).map(({ title, members }) => ({
    title: title === undefined ? singularLabel(model) : titleLabel(title),
    rows: members
      .filter(({ name }) => !isNothing(object[name]))
      .map(({ name, field }) => ({ label: fieldLabel(name), value: shownMember(name, object[name], field, showing) })),
    unset: members.filter(({ name }) => isNothing(object[name])).map(({ name }) => fieldLabel(name)),
  }));
  // A group in which nothing is set needs no panel to say so.
  const [first, ...others] = groups;
  const filled = others.filter(({ rows }) => rows.length);
  const unset = [first, ...others.filter(({ rows }) => !rows.length)].flatMap((one) => one?.unset ?? []);
  const long = fields
    .filter(isPanel)
    .filter(([name]) => !isNothing(object[name]) && !isEmpty(object[name]!))
    .map(([name]) => ({ label: fieldLabel(name), text: rows.get(name) ?? readable(object[name]) }));
  return { groups: first ? [{ ...first, unset }, ...filled] : [], long };
}

/** The fields that consist of rows, as tables. */
async function rowTables(request: PageRequest, model: Model, object: Shown): Promise<Map<string, Html>> {
  const all = widgetsOf(model, request.catalogue).filter(({ rows }) => rows);
  const tables = await Promise.all(all.map((widget) => rowsTable(request, widget, object[widget.name])));
  return new Map(all.flatMap(({ name }, i) => (tables[i] ? [[name, tables[i]]] : [])));
}

const isEmpty = (value: Json): boolean => typeof value === 'object' && !Object.keys(value ?? {}).length;

/**
 * The panels that only this model's objects have. If the user may not see the data of a panel, or if it is empty, the
 * panel is left out; any other error is an error of the whole page.
 */
async function panelsOf(
  request: PageRequest,
  model: Model,
  object: Shown,
  { addresses, parts }: PageOptions,
): Promise<ShownPanel[]> {
  const view = { ...viewOf(request, addresses), object };
  const all = await Promise.all(
    parts.panels
      .filter(({ on, as, has }) => on === model.name && as === 'panel' && (!has || has(object)))
      .map(async ({ title, name, place, render }) => ({
        title: titleLabel(title),
        name,
        place,
        body: await allowed(render(view)),
      })),
  );
  return all.flatMap(({ body, ...panel }) => (body === undefined ? [] : [{ ...panel, body }]));
}

interface ShownPanel extends Pick<Panel, 'title' | 'name'> {
  place: Panel['place'] | undefined;
  body: Html;
}

const tagsOf = (object: Shown, home: string): Html[] =>
  ((object['tags'] ?? []) as { slug?: string; display?: string; color?: string }[]).map((one) =>
    one.slug === undefined ? html`${one.display ?? ''}` : tag(one, `${home}?tag=${encodeURIComponent(one.slug)}`),
  );
