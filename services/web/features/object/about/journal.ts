import { apiPath } from '@cadastre/model';
import type { Listed } from '@cadastre/pages';
import { HttpError } from '@cadastre/service/errors';
import { csrfField } from '@cadastre/service/web';
import { moment } from '../../../schema/valueHtml.ts';
import { choiceLabel, choicesShown } from '../../../schema/labels.ts';
import { JOURNAL, queryAbout } from '../panels/about.ts';
import { headOf } from '../head/head.ts';
import { markdown } from '../panels/markdown.ts';
import { userNames } from './users.ts';
import type { PageOptions } from '../../../context/pageOptions.ts';
import { pager, pageQuery } from '../../../ui/url/pager.ts';
import { problemsOf } from '../../../client/problems.ts';
import type { ModelPage, Shown, PageRequest } from '../../../context/pageRequest.ts';

interface Entry extends Shown {
  created: string;
  kind: { value: string; label: string };
  comments: string;
  created_by: number | null;
  assigned_object_type: string;
  assigned_object_id: number;
}

/** The journal of an object; a form for the next entry, and forms for the present ones. */
export const journalPage = (options: PageOptions): ModelPage => ({
  methods: ['GET', 'POST'],
  async answer(request, model, id) {
    const { api, query, submitted, may, catalogue } = request;
    let problems: Record<string, string> = {};
    const posted = submitted.fields.has(csrfField);
    if (posted)
      try {
        await write(request, model.name, id);
        return { to: request.path };
      } catch (error) {
        if (!(error instanceof HttpError) || error.status !== 400) throw error;
        problems = problemsOf(error);
      }
    const asked = new URLSearchParams(pageQuery(query, request.preferences.perPage));
    asked.delete('edit');
    const [object, list] = await Promise.all([
      api.get<Shown>(`${apiPath(model)}${id}/`),
      api.get<Listed<Entry>>(`${JOURNAL.path}?${queryAbout(JOURNAL, model.name, id)}&${asked}`),
    ]);
    const [head, names, mayAdd, mayEdit, mayDelete] = await Promise.all([
      headOf(request, model, object, options),
      userNames(
        request,
        list.results.flatMap((one) => one.created_by ?? []),
      ),
      may('add', JOURNAL.type),
      may('change', JOURNAL.type),
      may('delete', JOURNAL.type),
    ]);
    const editing = (posted ? submitted.fields.get('entry') : query.get('edit')) ?? '';
    return {
      view: 'journal',
      title: object.display,
      status: posted ? 400 : 200,
      data: {
        ...head,
        entries: list.results.map((one) => ({
          ...one,
          kind: { ...one.kind, label: choiceLabel(one.kind.label) },
          moment: moment(one.created),
          text: markdown(one.comments),
          author: one.created_by === null ? '' : names.get(one.created_by),
          editing: mayEdit && editing === String(one.id),
          given: posted && editing === String(one.id) ? (submitted.fields.get('comments') ?? '') : one.comments,
        })),
        list,
        pager: pager(list, `${head.address}journal/`, query, request.preferences.perPage),
        problems: Object.values(problems),
        editing,
        text: editing ? '' : (submitted.fields.get('comments') ?? ''),
        kind: submitted.fields.get('kind') ?? 'info',
        kinds: choicesShown(catalogue.get(JOURNAL.type).fields['kind']),
        mayAdd,
        mayEdit,
        mayDelete,
      },
    };
  },
});

/**
 * Adds an entry, or changes or deletes the one that the form names. @throws HttpError if the API refuses the request
 */
async function write({ api, submitted: { fields } }: PageRequest, type: string, id: number): Promise<void> {
  const body = {
    kind: fields.get('kind') ?? 'info',
    comments: (fields.get('comments') ?? '').replaceAll('\r\n', '\n'),
  };
  const entry = fields.get('entry');
  if (!entry) {
    const about = { [JOURNAL.typeField]: type, [JOURNAL.idField]: id };
    await api.ask('POST', JOURNAL.path, { body: { ...about, ...body } });
    return;
  }
  const address = `${JOURNAL.path}${Number(entry)}/`;
  const { assigned_object_type: ofType, assigned_object_id: ofId } = await api.get<Entry>(address);
  if (ofType !== type || ofId !== id) throw new HttpError(404, { detail: 'Not found.' });
  if (fields.has('delete')) await api.ask('DELETE', address);
  else await api.ask('PATCH', address, { body });
}
