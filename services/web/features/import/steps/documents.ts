import { apiPath, type Catalogue, type Dict, isDict, type Json, type Model } from '@cadastre/model';
import { basename } from 'node:path/posix';
import type { Api, AskOptions } from '@cadastre/pages';
import { HttpError } from '@cadastre/service/errors';
import { widgetsOf } from '../../../schema/widgets.ts';
import { problemsOf } from '../../../client/problems.ts';
import type { Shown } from '../../../context/pageRequest.ts';
import { draftsOf } from '../drafts/drafts.ts';
import type { Draft } from '../drafts/draft.ts';
import { resolveNames } from '../naming/references.ts';
import type { Pictures } from '../files/pictures.ts';
import { positionOf, within } from '../reading/rows.ts';
import { at as placeOf, inRow, type LineProblem, type Outcome, saysThere } from './write.ts';
import { isList } from '../drafts/documentMembers.ts';

/**
 * Creates objects with their parts, all or nothing; a dry run writes nothing. It takes one request, besides those that
 * look up the named objects.
 */
export async function makeDocuments(
  api: Api,
  catalogue: Catalogue,
  model: Model,
  drafts: readonly Draft[],
  { dry = false, pictures }: { dry?: boolean; pictures?: Pictures | undefined } = {},
): Promise<Outcome> {
  const parts = drafts.flatMap((draft, at) => partsOf(draft, at, model, catalogue));
  await resolveNames(
    api,
    catalogue,
    parts.map(({ draft }) => draft),
  );
  const problems = parts.flatMap(({ at, list, nth, draft }) =>
    Object.entries(draft.problems).map(([field, text]) => partProblem(drafts[at]!, list, nth, field, text)),
  );
  if (problems.length) return { problems };
  const bodies: Dict[] = drafts.map(({ body, parts: lists }) => ({ ...body, ...lists }));
  for (const { at, list, nth, draft } of parts) {
    const items = [...(bodies[at]![list] as Json[])];
    items[nth] = { ...(items[nth] as Dict), ...draft.body };
    bodies[at]![list] = items;
  }
  try {
    const path = `${apiPath(model)}documents/${dry ? '?dry_run=true' : ''}`;
    const { body } = await api.ask<Shown[]>('POST', path, await sentWith(bodies, pictures));
    return { made: body, changed: [] };
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 400) throw error;
    return { problems: problemsOfDocuments(error, model, drafts) };
  }
}

/** The request body for documents: JSON, or multipart with the pictures beside it. */
async function sentWith(bodies: readonly Dict[], pictures: Pictures | undefined): Promise<AskOptions> {
  const files = bodies.flatMap((body, at) => (pictures?.of(body) ?? []).map((one) => ({ ...one, at })));
  if (!files.length) return { body: bodies };
  const form = new FormData();
  form.append('document', JSON.stringify(bodies));
  for (const { at, field, file } of files)
    form.append(`${at}.${field}`, new Blob([new Uint8Array(file.bytes)]), basename(file.path));
  const made = new Response(form);
  return {
    body: new Uint8Array(await made.arrayBuffer()),
    headers: { 'content-type': made.headers.get('content-type')! },
  };
}

/** The part that a reference to an object outside the document belongs to. */
interface Naming {
  at: number;
  list: string;
  nth: number;
  draft: Draft;
}

function partsOf({ line, parts }: Draft, at: number, { documents }: Model, catalogue: Catalogue): Naming[] {
  return Object.entries(documents?.parts ?? {}).flatMap(([list, kind]) => {
    const target = catalogue.models.get(kind.type);
    const items = parts[list];
    if (!target || !Array.isArray(items)) return [];
    const own = widgetsOf(target, catalogue).filter(({ name }) => !(name in (kind.names ?? {})) && name !== kind.by);
    const columns = { form: { own, tags: undefined, custom: [] }, catalogue, model: target };
    return items.flatMap((item, nth): Naming[] => {
      if (!isDict(item)) return [];
      const named = Object.entries(item).filter(
        ([name, value]) =>
          typeof value === 'string' && value && own.some((one) => one.name === name && one.kind === 'picker'),
      );
      if (!named.length) return [];
      const [draft] = draftsOf(
        { rows: [{ line, values: Object.fromEntries(named), places: {} }], texts: false },
        columns,
      );
      return [{ at, list, nth, draft: draft! }];
    });
  });
}

/** The position of a problem with a part: that of the field if it is known, else that of the part or its list. */
function partProblem(draft: Draft, list: string, nth: number, field: string, text: string): LineProblem {
  const part = within(list, nth);
  const place = [`${part}.${field}`, part, list].find((name) => name in draft.places) ?? list;
  return {
    ...inRow(draft, positionOf({ ...draft, values: {} }, place)),
    field: '',
    text: `${list} ${nth + 1}${field ? `, ${field}` : ''}: ${text}`,
  };
}

/** The problems that the API reports for documents, in the documents' structure, each with its line. */
function problemsOfDocuments({ body }: HttpError, { documents }: Model, drafts: readonly Draft[]): LineProblem[] {
  const all: unknown[] = Array.isArray(body) ? body : [body];
  return all.flatMap((said, at) => {
    const draft = drafts[at];
    if (!draft || !isDict(said as Json)) return [];
    return Object.entries(said as Dict).flatMap(([name, value]): LineProblem[] => {
      if (documents && isList(documents, name) && Array.isArray(value) && value.some(isDict))
        return value.flatMap((item, nth) =>
          Object.entries(problemsOf({ body: item })).map(([field, text]) => partProblem(draft, name, nth, field, text)),
        );
      return Object.entries(problemsOf({ body: { [name]: value } })).map(([field, text]) => ({
        ...placeOf(draft, field),
        field: draft.from[field] ?? field,
        text,
        ...(saysThere(value) ? { there: true } : {}),
      }));
    });
  });
}
