import type { Dict, Json, Model } from '@cadastre/model';
import type { Api } from '@cadastre/pages';
import { HttpError } from '@cadastre/service/errors';
import { apiPath } from '../model/addresses.ts';
import { problemsOf } from '../problems.ts';
import type { Shown } from '../visit.ts';
import type { Draft } from './columns.ts';

/** What is wrong with an object of a file, by field; an empty name is about the whole of it. */
export interface LineProblem {
  line: number;
  /** Where in the line, where that is known: see `Position`. */
  column?: number;
  field: string;
  text: string;
}

export type Outcome = { made: Shown[]; changed: Shown[] } | { problems: LineProblem[] };

/** The problems that are known before anything is asked of the API. */
export const problemsIn = (drafts: readonly Draft[]): LineProblem[] =>
  drafts.flatMap(({ line, problems }) => Object.entries(problems).map(([field, text]) => ({ line, field, text })));

/** What the API finds wrong with a list of objects, each at its line. */
export function problemsAt(error: HttpError, lines: readonly number[]): LineProblem[] {
  const ofOne = (line: number, body: unknown): LineProblem[] =>
    Object.entries(problemsOf({ body })).map(([field, text]) => ({
      line,
      field: field === '__all__' ? '' : field,
      text,
    }));
  return Array.isArray(error.body)
    ? error.body.flatMap((one, at) => (at < lines.length ? ofOne(lines[at]!, one) : []))
    : ofOne(lines[0] ?? 0, error.body);
}

/** What no object of a model can be: the API looks at all the others, and writes none of them. */
export function impossible(model: Model): Dict | undefined {
  if (Object.values(model.fields).some(({ required, readOnly }) => required && !readOnly)) return {};
  const chosen = Object.entries(model.fields).find(([, { choices, parse }]) => choices && parse);
  return chosen && { [chosen[0]]: '/' };
}

/** What the API would say of new objects; nothing is written. Undefined for models of which that cannot be told. */
export async function check(api: Api, model: Model, drafts: readonly Draft[]): Promise<LineProblem[] | undefined> {
  const stopper = impossible(model);
  if (!stopper) return undefined;
  try {
    await api.ask('POST', apiPath(model), { body: [...drafts.map(({ body }) => body), stopper] });
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 400) throw error;
    return problemsAt(
      error,
      drafts.map(({ line }) => line),
    );
  }
  throw new Error(`${model.name}: what cannot be was made`);
}

/** Writes what can be written at once: new objects, all or none; and changes of others, all or none. */
export async function write(api: Api, model: Model, drafts: readonly Draft[]): Promise<Outcome> {
  const fresh = drafts.filter(({ body }) => body['id'] === undefined);
  const known = drafts.filter(({ body }) => body['id'] !== undefined);
  const changed = await send(api, 'PATCH', apiPath(model), known);
  if ('problems' in changed) return changed;
  const made = await send(api, 'POST', apiPath(model), fresh);
  if ('problems' in made) return made;
  return { made: made.objects, changed: changed.objects };
}

async function send(
  api: Api,
  method: string,
  path: string,
  drafts: readonly Draft[],
): Promise<{ objects: Shown[] } | { problems: LineProblem[] }> {
  if (!drafts.length) return { objects: [] };
  try {
    const { body } = await api.ask<Shown[]>(method, path, { body: drafts.map((one) => one.body as Json) });
    return { objects: body };
  } catch (error) {
    if (!(error instanceof HttpError) || ![400, 404, 409].includes(error.status)) throw error;
    return {
      problems: problemsAt(
        error,
        drafts.map(({ line }) => line),
      ),
    };
  }
}
