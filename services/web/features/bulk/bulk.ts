import { wayBack, withWayBack } from '../../ui/url/returnUrl.ts';
import { apiPath, type Dict, type Model, webPath } from '@cadastre/model';
import { HttpError } from '@cadastre/service/errors';
import { fieldLabel, pluralLabel, singularLabel } from '../../schema/labels.ts';
import { within } from '../../ui/texts/within.ts';
import { problemsOf } from '../../client/problems.ts';
import type { Shown, PageRequest } from '../../context/pageRequest.ts';
import type { Answer } from '../../ui/page/answer.ts';
import { addressWith, selecting } from '../../ui/url/listQuery.ts';
import { type Most, portions } from './portions.ts';
import { type Selection, selectionOf } from '../list/table/selection.ts';

/** A problem with one object. */
interface ObjectProblem {
  name: string;
  href: string;
  text: string;
}

/** Why the API refused a portion: how much had been done before, and what the problems are. */
export interface BulkProblems {
  /** How many objects were done in the portions before the refused one. */
  done: number;
  status: number;
  general: string[];
  /** Problems with a field that all objects share. */
  fields: Record<string, string>;
  objects: ObjectProblem[];
  /** How many further objects with problems are not listed. */
  more: number;
}

/** How many objects are named on a page at most. */
export const NAMED = 100;

/**
 * Sends the items to the API in as few requests as its limits allow, each of them all or nothing. The first refusal
 * ends the work. `objects` are the objects that the items concern, in the same order; with `together`, a problem that
 * all of them share is reported once, at its field.
 */
export async function sendAll(
  { api }: PageRequest,
  model: Model,
  method: 'PATCH' | 'DELETE',
  items: readonly Dict[],
  objects: readonly Shown[],
  most: Most,
  together = true,
): Promise<BulkProblems | undefined> {
  let done = 0;
  for (const portion of portions(items, most)) {
    try {
      await api.ask(method, apiPath(model), { body: portion });
    } catch (error) {
      if (!(error instanceof HttpError) || ![400, 403, 409, 413, 503].includes(error.status)) throw error;
      return refusalOf(error, model, objects.slice(done, done + portion.length), done, together);
    }
    done += portion.length;
  }
  return undefined;
}

/** The problems in a refusal, by object. */
export function refusalOf(
  { status, body }: Pick<HttpError, 'status' | 'body'>,
  model: Model,
  objects: readonly Shown[],
  done: number,
  together: boolean,
): BulkProblems {
  const none = { done, status, general: [], fields: {}, objects: [], more: 0 };
  if (!Array.isArray(body) || body.length !== objects.length)
    return {
      ...none,
      general: Object.entries(problemsOf({ body: Array.isArray(body) ? { detail: body } : body })).map(
        ([name, text]) => (name === '' || name === 'id' ? text : `${fieldLabel(name)}: ${text}`),
      ),
    };
  const home = webPath(model)!;
  const each = body.map((one) => problemsOf({ body: one }));
  const wrong = each.flatMap((problems, i) =>
    Object.keys(problems).length ? [{ problems, object: objects[i]! }] : [],
  );
  const first = wrong[0]?.problems ?? {};
  const alike =
    together && wrong.length === objects.length
      ? Object.fromEntries(
          Object.entries(first).filter(
            ([name, text]) => name && wrong.every(({ problems }) => problems[name] === text),
          ),
        )
      : {};
  const own = wrong.flatMap(({ problems, object }) => {
    const texts = Object.entries(problems).filter(([name]) => !(name in alike));
    return texts.length ? [{ object, texts }] : [];
  });
  return {
    ...none,
    fields: alike,
    objects: own.slice(0, NAMED).map(({ object, texts }) => ({
      name: object.display,
      href: `${home}${object.id}/`,
      text: texts.map(([name, text]) => (name ? `${fieldLabel(name)}: ${text}` : text)).join(' '),
    })),
    more: Math.max(0, own.length - NAMED),
  };
}

/** What all pages for several objects have in common. */
export interface Bulk {
  selection: Selection;
  home: string;
  /** The page that the user came from and returns to. */
  back: string;
  /** Whether to perform the action; otherwise the page only shows it. */
  apply: boolean;
  data: Record<string, unknown>;
}

/**
 * The objects that a page works on; if there are none, the address to return to. An action on everything that the
 * filters select applies only to the number of objects that was shown: if that number has changed, the page is shown
 * again.
 */
export async function bulkOf(
  request: PageRequest,
  model: Model,
  members: readonly string[],
  most: Most,
): Promise<Bulk | { to: string }> {
  if (model.readOnly) throw new HttpError(404, { detail: 'There is no such page.' });
  const { submitted, query, texts } = request;
  const home = webPath(model)!;
  const back = wayBack(query) ?? addressWith(home, selecting(query));
  const selection = await selectionOf(request, model, members);
  const { objects, all } = selection;
  if (!objects.length) return { to: back };
  const seen = submitted.fields.get('_count');
  const differs = seen !== null && Number(seen) !== objects.length;
  const names = objects.slice(0, NAMED);
  const label = within(objects.length === 1 ? singularLabel(model) : pluralLabel(model));
  return {
    selection,
    home,
    back,
    apply: submitted.fields.has('_apply') && !differs,
    data: {
      home,
      back,
      action: withWayBack(addressWith(request.path, selecting(query)), wayBack(query)),
      model: { label: singularLabel(model), plural: pluralLabel(model), home },
      label,
      all,
      count: objects.length,
      differs,
      pks: all ? [] : objects.map(({ id }) => id),
      names: names.map(({ id, display }) => ({ name: display, href: `${home}${id}/` })),
      more: objects.length - names.length,
      portions: Math.ceil(objects.length / most.items),
      portion: most.items,
      logged: model.features.has('changeLogging'),
      message: submitted.fields.get('changelog_message') ?? '',
      notice: differs ? texts('selectionDiffers', { before: seen!, now: objects.length }) : undefined,
    },
  };
}

/** The message for the change log, as part of each item. */
export function messageIn({ submitted }: PageRequest): Dict {
  const message = submitted.fields.get('changelog_message')?.trim();
  return message ? { changelog_message: message } : {};
}

/** The same page again, with the problems. */
export const again = (view: string, title: string, data: Record<string, unknown>, problems?: BulkProblems): Answer => ({
  view,
  title,
  status: problems ? problems.status : 200,
  data: { ...data, problems },
});
