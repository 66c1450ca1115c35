import type { Catalogue, Dict, Model } from '@cadastre/model';
import type { Api } from '@cadastre/pages';
import { HttpError } from '@cadastre/service/errors';
import { apiPath } from '../model/addresses.ts';
import { widgetsOf } from '../model/widgets.ts';
import type { Shown } from '../visit.ts';
import { type Draft, draftsOf } from './columns.ts';
import { type ReferenceTexts, resolveNames } from './references.ts';
import { type LineProblem, problemsAt, problemsIn } from './write.ts';

interface Part {
  /** Which of the objects it is in. */
  at: number;
  member: string;
  /** Its place there, from one. */
  nth: number;
  draft: Draft;
}

/** Whether any object of a file has parts. */
export const hasParts = (drafts: readonly Draft[]): boolean =>
  drafts.some(({ parts }) => Object.values(parts).some((some) => some.length > 0));

/**
 * Makes the parts of objects that have just been made, one request for each kind. If one is refused, all of these
 * objects go again, and their parts with them: all or none.
 */
export async function makeParts(
  api: Api,
  catalogue: Catalogue,
  model: Model,
  drafts: readonly Draft[],
  made: readonly Shown[],
  texts: ReferenceTexts,
): Promise<LineProblem[]> {
  const names = new Map<string, number>();
  const problems: LineProblem[] = [];
  for (const [member, said] of Object.entries(model.forms?.parts ?? {})) {
    const target = catalogue.models.get(said.type);
    const parts: Part[] = drafts.flatMap(({ line, parts: some }, at) =>
      (some[member] ?? []).map((values, i) => {
        const of = said.from?.(values) ?? values;
        const known = namedIn(of, said.names ?? {}, (kind, name) => names.get(`${at} ${kind} ${name}`));
        const [draft] = draftsOf(
          { rows: [{ line, values: { ...known.values, [said.by]: made[at]!.id }, places: {} }], texts: false },
          { form: { own: widgetsOf(target!, catalogue), tags: undefined, custom: [] }, catalogue, model: target! },
        );
        Object.assign(draft!.problems, known.problems);
        return { at, member, nth: i + 1, draft: draft! };
      }),
    );
    if (!target || !parts.length) continue;
    const some = parts.map(({ draft }) => draft);
    await resolveNames(api, catalogue, some, texts);
    const found = problemsIn(some).length ? partProblems(parts) : await makeKind(api, target, parts, names);
    problems.push(...found);
    if (problems.length) break;
  }
  if (problems.length) await api.ask('DELETE', apiPath(model), { body: made.map(({ id }) => ({ id })) });
  return problems;
}

const saidOf = ({ member, nth }: Part, { field, text }: LineProblem): string =>
  `${member} ${nth}${field ? `, ${field}` : ''}: ${text}`;

const partProblems = (parts: readonly Part[]): LineProblem[] =>
  parts.flatMap((part) =>
    problemsIn([part.draft]).map((one) => ({ line: one.line, field: '', text: saidOf(part, one) })),
  );

async function makeKind(
  api: Api,
  model: Model,
  parts: readonly Part[],
  names: Map<string, number>,
): Promise<LineProblem[]> {
  try {
    const { body } = await api.ask<Shown[]>('POST', apiPath(model), { body: parts.map(({ draft }) => draft.body) });
    for (const [i, { at, member }] of parts.entries())
      names.set(`${at} ${member} ${String(body[i]!['name'])}`, body[i]!.id);
    return [];
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 400) throw error;
    // Places stand for lines while the API speaks, and are told apart again after it.
    return problemsAt(
      error,
      parts.map((_, i) => i),
    ).map((one) => {
      const part = parts[one.line]!;
      return { line: part.draft.line, field: '', text: saidOf(part, one) };
    });
  }
}

/** Puts ids in the place of the names of parts further up: `power_port: PSU1`, `rear_ports: [{rear_port: 1}]`. */
function namedIn(
  values: Dict,
  names: Readonly<Record<string, string>>,
  idOf: (member: string, name: string) => number | undefined,
): { values: Dict; problems: Record<string, string> } {
  const problems: Record<string, string> = {};
  const replaced = (dict: Dict): Dict =>
    Object.fromEntries(
      Object.entries(dict).map(([field, value]) => {
        if (Array.isArray(value)) return [field, value.map((one) => (isPlain(one) ? replaced(one) : one))];
        const member = names[field];
        if (member === undefined || value === null) return [field, value];
        const id = idOf(member, String(value));
        if (id === undefined) problems[field] = `There is no “${String(value)}” among the ${member}.`;
        return [field, id ?? null];
      }),
    );
  return { values: replaced(values), problems };
}

const isPlain = (value: unknown): value is Dict => typeof value === 'object' && value !== null && !Array.isArray(value);
