import { apiPath, type Model, webPath } from '@cadastre/model';
import type { Listed } from '@cadastre/pages';
import { HttpError } from '@cadastre/service/errors';
import { csrfField } from '@cadastre/service/web';
import { choiceLabel, pluralLabel } from '../../../schema/labels.ts';
import type { PageOptions } from '../../../context/pageOptions.ts';
import { problemsOf } from '../../../client/problems.ts';
import type { Shown, PageRequest } from '../../../context/pageRequest.ts';
import type { Answer } from '../../../ui/page/answer.ts';
import { type Change, changeViews, CHANGES } from './changeList.ts';
import { readable } from '../panels/readable.ts';
import { bodyFrom, formAddress } from './restore.ts';

/** One change: who changed what, what else the same request changed, and how to undo a deletion. */
export async function changeRecord(
  request: PageRequest,
  model: Model,
  id: number,
  { catalogue, addresses }: PageOptions,
): Promise<Answer> {
  const { api, texts, may, submitted } = request;
  const change = await api.get<Change>(`${apiPath(model)}${id}/`);
  const of = catalogue.models.get(change.changed_object_type);
  const home = of && webPath(of);
  const gone = change.action.value === 'delete' && change.prechange_data !== null;
  const mayRestore = gone && of !== undefined && !of.readOnly && (await may('add', of.name));
  let problems: string[] = [];
  if (submitted.fields.has(csrfField) && mayRestore)
    try {
      const made = await api.ask<Shown>('POST', apiPath(of), {
        body: {
          ...bodyFrom(of, change.prechange_data),
          ...(of.features.has('changeLogging') ? { changelog_message: texts('restoredFrom', { id }) } : {}),
        },
      });
      return { to: home ? `${home}${made.body.id}/` : request.path };
    } catch (error) {
      if (!(error instanceof HttpError) || ![400, 409].includes(error.status)) throw error;
      problems = Object.entries(problemsOf(error)).map(([name, text]) => (name ? `${name}: ${text}` : text));
    }
  const same = `request_id=${change.request_id}`;
  const about = `changed_object_type=${change.changed_object_type}&changed_object_id=${change.changed_object_id}`;
  const [[view], others, history] = await Promise.all([
    changeViews(request, { addresses, catalogue, texts }, [change]),
    api.get<Listed<Change>>(`${CHANGES}?${same}&limit=50&fields=id,display,action,object_repr,changed_object_type`),
    api.get<Listed<Shown>>(`${CHANGES}?${about}&limit=1000&fields=id`),
  ]);
  const place = history.results.findIndex((one) => one.id === id);
  const records = webPath(model)!;
  const pageAt = (i: number): string | undefined =>
    place < 0 || !history.results[i] ? undefined : `${records}${history.results[i].id}/`;
  return {
    view: 'change',
    title: change.display,
    status: problems.length ? 409 : 200,
    data: {
      home: records,
      plural: pluralLabel(model),
      change: view,
      request: change.request_id,
      newer: pageAt(place - 1),
      older: pageAt(place + 1),
      others: others.results
        .filter((one) => one.id !== id)
        .map((one) => ({
          text: one.display,
          action: { ...one.action, label: choiceLabel(one.action.label) },
          href: `${records}${one.id}/`,
        })),
      allOthers: others.count > 51 ? `${records}?${same}` : undefined,
      before: change.prechange_data ? readable(change.prechange_data) : undefined,
      after: change.postchange_data ? readable(change.postchange_data) : undefined,
      mayRestore,
      form: mayRestore && home ? formAddress(home, of, change.prechange_data) : undefined,
      log:
        home && change.changed_object && of.features.has('changeLogging')
          ? `${home}${change.changed_object_id}/changelog/`
          : undefined,
      problems,
    },
  };
}
