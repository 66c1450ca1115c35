import { HttpError } from '@cadastre/service/errors';
import { moment } from '../cells.ts';
import { apiPath } from '../model/addresses.ts';
import type { PagesOptions } from '../pages.ts';
import type { Listed } from '@cadastre/pages';
import { pager, pageQuery } from '../pager.ts';
import { problemsOf } from '../problems.ts';
import type { ModelPage, Shown } from '../visit.ts';
import { headOf } from './object.ts';

interface Entry extends Shown {
  created: string;
  kind: { value: string; label: string };
  comments: string;
  created_by: never;
}

const ENTRIES = '/api/extras/journal-entries/';

/** What people have noted of an object; and a form for the next note. */
export const journalPage = ({ parts }: PagesOptions): ModelPage => ({
  methods: ['GET', 'POST'],
  async answer(visit, model, id) {
    const { api, query, given, may } = visit;
    const posted = given.fields.has('comments');
    let problems: Record<string, string> = {};
    if (posted)
      try {
        await api.ask('POST', ENTRIES, {
          body: {
            assigned_object_type: model.name,
            assigned_object_id: id,
            kind: given.fields.get('kind') ?? 'info',
            comments: given.fields.get('comments') ?? '',
          },
        });
        return { to: visit.path };
      } catch (error) {
        if (!(error instanceof HttpError) || error.status !== 400) throw error;
        problems = problemsOf(error);
      }
    const asked = new URLSearchParams(pageQuery(query));
    asked.set('assigned_object_type', model.name);
    asked.set('assigned_object_id', String(id));
    const [object, list] = await Promise.all([
      api.get<Shown>(`${apiPath(model)}${id}/`),
      api.get<Listed<Entry>>(`${ENTRIES}?${asked}`),
    ]);
    const head = await headOf(visit, model, object, parts);
    return {
      view: 'journal',
      title: object.display,
      status: posted ? 400 : 200,
      data: {
        ...head,
        entries: list.results.map((one) => ({ ...one, moment: moment(one.created) })),
        list,
        pager: pager(list, `${head.address}journal/`, query),
        problems,
        text: given.fields.get('comments') ?? '',
        kinds: visit.catalogue.get('extras.journalentry').fields['kind']?.choices ?? [],
        mayAdd: await may('add', 'extras.journalentry'),
      },
    };
  },
});
