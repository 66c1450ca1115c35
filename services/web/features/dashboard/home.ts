import { randomUUID } from 'node:crypto';
import type { HomeWidget } from '@cadastre/pages';
import { HttpError } from '@cadastre/service/errors';
import { csrfField } from '@cadastre/service/web';
import {
  arranged,
  CHANGES,
  changed,
  type Dashboard,
  dashboardOf,
  fresh,
  type Kind,
  KINDS,
  type Widget,
  widgetsIn,
} from './dashboard.ts';
import { shownWidget, titleOf } from './widgets.ts';
import { pluralLabel, titleLabel } from '../../schema/labels.ts';
import { inOrder } from '../../shell/navigation.ts';
import type { PageOptions } from '../../context/pageOptions.ts';
import type { Page, PageRequest } from '../../context/pageRequest.ts';

const path = '/api/extras/dashboard/';

/** The home page: the widgets that the user has chosen, or the default ones. */
export const homePage = (options: PageOptions): Page => ({
  methods: ['GET', 'POST'],
  async answer(request) {
    const { api, query, texts, submitted } = request;
    const { widgets: own } = options.parts;
    const kept = widgetsIn(await api.get<Dashboard>(path), own);
    if (submitted.fields.has(csrfField)) {
      await layOut(request, kept, own);
      return { to: '/?edit=1' };
    }
    const editing = query.get('edit') === '1';
    const bodies = await Promise.all(kept.map((widget) => shownWidget(request, options, widget)));
    return {
      view: 'home',
      title: texts('home'),
      data: {
        editing,
        widgets: kept.flatMap((widget, i) => {
          const body = bodies[i] ?? (editing ? { title: widget.title || widget.kind, body: '' } : undefined);
          return body ? [{ ...widget, ...body }] : [];
        }),
        changes: CHANGES,
        kinds: [
          ...(Object.keys(KINDS) as Kind[]).map((name) => ({ name, label: texts(titleOf(name)) })),
          ...own.map(({ name, title }) => ({ name, label: titleLabel(title) })),
        ],
        types: inOrder(options.catalogue).map((model) => ({ name: model.name, label: pluralLabel(model) })),
      },
    };
  },
});

/** Adds, moves or removes a widget, or restores the default ones. */
async function layOut(
  { api, submitted: { fields } }: PageRequest,
  kept: readonly Widget[],
  own: readonly HomeWidget[],
): Promise<void> {
  if (fields.has('reset')) return void (await api.ask('DELETE', path));
  await api.ask('PUT', path, { body: dashboardOf(laidOut(fields, kept, own)) });
}

function laidOut(fields: URLSearchParams, kept: readonly Widget[], own: readonly HomeWidget[]): Widget[] {
  const [name, order] = [fields.get('add'), fields.get('order')];
  if (order !== null) return arranged(kept, order);
  if (name === null) {
    const change = CHANGES.find((one) => fields.has(one));
    if (!change) throw new HttpError(400, { detail: 'Nothing is to be done.' });
    return changed(kept, fields.get(change)!, change);
  }
  const kind = Object.hasOwn(KINDS, name) ? KINDS[name as Kind] : own.find((one) => one.name === name)?.kind;
  if (kind === undefined) throw new HttpError(400, { add: [`"${name}" is not a valid choice.`] });
  const said = (field: string): string => fields.get(field)?.trim() ?? '';
  const config = {
    ...(said('title') ? { title: said('title') } : {}),
    ...(name === 'list' ? { model: said('type'), url_params: said('filters').replace(/^.*\?/, '') } : {}),
    ...(name === 'note' ? { content: said('text') } : {}),
  };
  return [...kept, fresh(kind, 6, config, randomUUID())];
}
