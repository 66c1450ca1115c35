import { apiPath, type Catalogue, type Dict, isDict, type Json, type Model } from '@cadastre/model';
import type { Api } from '@cadastre/pages';
import { HttpError } from '@cadastre/service/errors';
import { spoken } from '../../../ui/texts/speaking.ts';
import type { Shown } from '../../../context/pageRequest.ts';
import type { Draft } from '../drafts/draft.ts';
import { at, type LineProblem, problemsAt } from '../drafts/lineProblems.ts';
import { markAll } from './marks.ts';
import { askBy } from '../naming/references.ts';

export * from '../drafts/lineProblems.ts';

/** The objects that were written; or the problems, and how many created objects could not be deleted again. */
export type Outcome = { made: Shown[]; changed: Shown[] } | { problems: LineProblem[]; left?: number };

/** An object that the API always refuses: with it in a request, the API checks all the others and writes none. */
function impossible(model: Model): Dict | undefined {
  if (Object.values(model.fields).some(({ required, readOnly }) => required && !readOnly)) return {};
  const chosen = Object.entries(model.fields).find(([, { choices, parse }]) => choices && parse);
  return chosen && { [chosen[0]]: '/' };
}

/**
 * The problems that the API reports for new objects; nothing is written. Undefined for models for which no refusal can
 * be forced.
 */
export async function check(api: Api, model: Model, drafts: readonly Draft[]): Promise<LineProblem[] | undefined> {
  const stopper = impossible(model);
  if (!stopper) return undefined;
  try {
    await api.ask('POST', apiPath(model), { body: [...drafts.map(({ body }) => body), stopper] });
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 400) throw error;
    return problemsAt(error, drafts);
  }
  throw new Error(`${model.name}: what cannot be was made`);
}

/**
 * Writes some rows, all or nothing: first new objects, starting with those that others refer to; then changes; then
 * references from other objects to all of these.
 */
export async function write(api: Api, catalogue: Catalogue, model: Model, drafts: readonly Draft[]): Promise<Outcome> {
  const known = new Map<number, number>();
  const made: Shown[] = [];
  const undo = async (problems: LineProblem[]): Promise<Outcome> => {
    // The last first: what was made later may lead to what was made before.
    let left = 0;
    for (const some of waves.toReversed()) if (!(await taken(api, model, some))) left += some.length;
    return { problems, left };
  };
  const waves: Shown[][] = [];
  const fresh = drafts.filter(({ body }) => body['id'] === undefined);
  const ids = new Map<number, Shown>();
  for (let left = fresh; left.length; left = left.filter(({ nth }) => !ids.has(nth))) {
    const now = left.filter(({ after }) => Object.values(after).every((nth) => known.has(nth)));
    if (!now.length)
      return undo(left.map((one) => ({ ...at(one, ''), field: '', text: spoken().texts('importRound') })));
    const sent = await send(api, 'POST', apiPath(model), now, known);
    if ('problems' in sent) return undo(sent.problems);
    waves.push(sent.objects);
    for (const [i, { nth }] of now.entries()) {
      known.set(nth, sent.objects[i]!.id);
      ids.set(nth, sent.objects[i]!);
    }
  }
  made.push(...fresh.map(({ nth }) => ids.get(nth)!));
  const changes = drafts.filter(({ body }) => body['id'] !== undefined);
  const held = changes.some(({ marked }) => marked?.length) ? await before(api, model, changes) : [];
  const changed = await send(api, 'PATCH', apiPath(model), changes, known);
  if ('problems' in changed) return undo(changed.problems);
  const marked = await markAll(api, catalogue, model, [...fresh, ...changes], [...made, ...changed.objects]);
  if (!marked.length) return { made, changed: changed.objects };
  if (held.length) await api.ask('PATCH', apiPath(model), { body: held });
  return undo(marked);
}

/** Deletes the objects that were created. A user who may add objects is not necessarily allowed to delete them. */
async function taken(api: Api, model: Model, objects: readonly Shown[]): Promise<boolean> {
  try {
    if (objects.length) await api.ask('DELETE', apiPath(model), { body: objects.map(({ id }) => ({ id })) });
    return true;
  } catch (error) {
    if (!(error instanceof HttpError) || error.status >= 500) throw error;
    return false;
  }
}

/** The changes that undo other changes. */
async function before(api: Api, model: Model, changes: readonly Draft[]): Promise<Dict[]> {
  const fields = [...new Set(changes.flatMap(({ body }) => Object.keys(body)))];
  const now = await askBy(
    api,
    model,
    'id',
    changes.map(({ body }) => String(body['id'])),
    fields,
  );
  return changes.flatMap(({ body }) => {
    const one = now.find(({ id }) => id === body['id']);
    return one
      ? [Object.fromEntries(Object.keys(body).flatMap((name) => (name in one ? [[name, writable(one[name]!)]] : [])))]
      : [];
  });
}

/** A value from an answer of the API, in the form in which it can be written. */
function writable(value: Json): Json {
  if (Array.isArray(value)) return value.map(writable);
  if (!isDict(value)) return value;
  return 'id' in value ? value['id']! : 'value' in value && 'label' in value ? value['value']! : value;
}

async function send(
  api: Api,
  method: string,
  path: string,
  drafts: readonly Draft[],
  known: ReadonlyMap<number, number>,
): Promise<{ objects: Shown[] } | { problems: LineProblem[] }> {
  if (!drafts.length) return { objects: [] };
  const body = drafts.map(
    (one): Dict => ({
      ...one.body,
      ...Object.fromEntries(Object.entries(one.after).map(([member, nth]) => [member, known.get(nth)!])),
    }),
  );
  try {
    return { objects: (await api.ask<Shown[]>(method, path, { body })).body };
  } catch (error) {
    if (!(error instanceof HttpError) || ![400, 404, 409].includes(error.status)) throw error;
    return { problems: problemsAt(error, drafts) };
  }
}
