import { apiPath, type Json, webPath } from '@cadastre/model';
import type { Listed } from '@cadastre/pages';
import { HttpError } from '@cadastre/service/errors';
import { csrfField } from '@cadastre/service/web';
import { shown } from '../../../schema/valueHtml.ts';
import { fieldsOf } from '../../form/fields/fields.ts';
import { givenValue } from '../../form/fields/values.ts';
import { withWayBack } from '../../../ui/url/returnUrl.ts';
import { widgetsOf } from '../../../schema/widgets.ts';
import { CONTACTS, queryAbout } from '../panels/about.ts';
import { headOf } from '../head/head.ts';
import type { PageOptions } from '../../../context/pageOptions.ts';
import { pager, pageQuery } from '../../../ui/url/pager.ts';
import { problemsOf } from '../../../client/problems.ts';
import type { ModelPage, Shown, PageRequest } from '../../../context/pageRequest.ts';

/** The fields of a contact's assignment to an object. */
const FIELDS = ['contact', 'role', 'priority'];

/** The contacts of an object, and a form to add one. */
export const contactsPage = (options: PageOptions): ModelPage => ({
  methods: ['GET', 'POST'],
  async answer(request, model, id) {
    const { api, query, submitted, may, catalogue, texts } = request;
    if (!model.features.has(CONTACTS.feature)) throw new HttpError(404, { detail: 'There is no such page.' });
    const posted = submitted.fields.has(csrfField);
    let problems: Record<string, string> = {};
    if (posted && !submitted.fields.has('_find'))
      try {
        await write(request, model.name, id);
        return { to: request.path };
      } catch (error) {
        if (!(error instanceof HttpError) || error.status !== 400) throw error;
        problems = problemsOf(error);
      }
    const [object, list] = await Promise.all([
      api.get<Shown>(`${apiPath(model)}${id}/`),
      api.get<Listed<Shown>>(
        `${CONTACTS.path}?${queryAbout(CONTACTS, model.name, id)}&${pageQuery(query, request.preferences.perPage)}`,
      ),
    ]);
    const of = catalogue.get(CONTACTS.type);
    const widgets = widgetsOf(of, catalogue).filter(({ name }) => FIELDS.includes(name));
    const find = submitted.fields.get('_find');
    const [head, fields, mayAdd, mayChange, mayDelete] = await Promise.all([
      headOf(request, model, object, options),
      fieldsOf(request, widgets, {
        given: (name) => (posted ? submitted.fields.getAll(name) : undefined),
        object: undefined,
        problems,
        finding: find === null ? undefined : { name: find, text: submitted.fields.get(`find.${find}`) ?? '' },
      }),
      may('add', CONTACTS.type),
      may('change', CONTACTS.type),
      may('delete', CONTACTS.type),
    ]);
    const showing = { addresses: options.addresses, catalogue: options.catalogue, texts };
    return {
      view: 'contacts',
      title: object.display,
      status: Object.keys(problems).length ? 400 : 200,
      data: {
        ...head,
        entries: list.results.map((one) => ({
          id: one.id,
          edit: withWayBack(`${webPath(of)}${one.id}/edit/`, `${head.address}contacts/`),
          text: (one['contact'] as { display?: string } | null)?.display ?? '',
          cells: FIELDS.map((name) => shown(one[name], of.fields[name], showing)),
        })),
        list,
        pager: pager(list, `${head.address}contacts/`, query, request.preferences.perPage),
        fields,
        problems: Object.entries(problems).flatMap(([name, text]) => (FIELDS.includes(name) ? [] : [text])),
        mayAdd,
        mayChange,
        mayDelete,
      },
    };
  },
});

/** Assigns a contact to an object, or removes an assignment. @throws HttpError if the API refuses the request */
async function write({ api, submitted: { fields }, catalogue }: PageRequest, type: string, id: number): Promise<void> {
  const remove = fields.get('remove');
  if (remove !== null) {
    const address = `${CONTACTS.path}${Number(remove)}/`;
    const there = await api.get<Shown>(address);
    if (there['object_type'] !== type || there['object_id'] !== id) throw new HttpError(404, { detail: 'Not found.' });
    await api.ask('DELETE', address);
    return;
  }
  const body: Record<string, Json> = { [CONTACTS.typeField]: type, [CONTACTS.idField]: id };
  for (const widget of widgetsOf(catalogue.get(CONTACTS.type), catalogue)) {
    const value = FIELDS.includes(widget.name) ? givenValue(widget, fields.getAll(widget.name)) : undefined;
    if (value && 'value' in value && value.value !== '') body[widget.name] = value.value;
  }
  await api.ask('POST', CONTACTS.path, { body });
}
