import type { Model } from '@cadastre/model';
import { HttpError } from '@cadastre/service/errors';
import { formOf } from '../forms/form.ts';
import { type Columns, type Draft, draftsOf, unknownColumns } from '../import/columns.ts';
import { makeDocuments } from '../import/documents/make.ts';
import { hasParts, partsIn } from '../import/documents/members.ts';
import { FORMATS, type Format, type ImportLimits, type Parsed, parseRows, Unreadable } from '../import/parse.ts';
import { type Progress, portionOf, progressIn, progressText } from '../import/progress.ts';
import { type ReferenceTexts, resolveNames } from '../import/references.ts';
import { sharedValues } from '../import/unique.ts';
import { check, type LineProblem, problemsIn, write } from '../import/write.ts';
import { webPath } from '../model/addresses.ts';
import { pluralLabel, singularLabel, within } from '../model/labels.ts';
import type { PagesOptions } from '../pages.ts';
import type { Answer, ModelPage, Shown, Visit } from '../visit.ts';

/** What an import has come to so far. */
interface State {
  problems?: LineProblem[];
  /** A sentence on what was done, or would be. */
  said?: string;
  fine?: boolean;
  progress?: Progress;
  made?: readonly Shown[];
  /** The text that is shown again, where it is not the one that was given. */
  text?: string;
  status?: number;
}

/** The most problems that are shown; a column that is wrong is wrong in every line. */
const SHOWN = 200;

/** New objects, or changes of some, out of a text or a file. */
export const importPage = ({ imports: { limits } }: PagesOptions): ModelPage => ({
  methods: ['GET', 'POST'],
  async answer(visit, model) {
    if (model.readOnly) throw new HttpError(404, { detail: 'There is no such page.' });
    const columns = { form: await formOf(visit, model), catalogue: visit.catalogue, model };
    const { fields } = visit.given;
    if (!fields.has('proof') || fields.has('_kept')) return page(visit, columns, {});
    const further = progressIn(fields.get('progress'));
    const state = further ? await portion(visit, columns, further) : await begin(visit, columns, limits);
    return page(visit, columns, state);
  },
});

const textsOf = ({ texts }: Visit): ReferenceTexts => ({
  none: (label, text) => texts('importNone', { label, text }),
  several: (label, text) => texts('importSeveral', { label, text }),
});

const givenText = ({ given: { fields, files } }: Visit): string =>
  files.get('file')?.bytes.toString('utf8') ?? fields.get('text') ?? '';

async function begin(visit: Visit, columns: Columns, limits: ImportLimits): Promise<State> {
  const { given, api, catalogue, texts } = visit;
  const asked = given.fields.get('format') as Format;
  let parsed: Parsed;
  try {
    parsed = parseRows(givenText(visit), FORMATS.includes(asked) ? asked : 'auto', limits);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return wrong([{ line: 0, ...error.at, field: '', text: texts(error.text, error.said) }]);
  }
  if (!parsed.rows.length) return wrong([{ line: 0, field: '', text: texts('importNothing') }]);
  const unknown = unknownColumns(parsed.rows, columns);
  if (unknown.length)
    return wrong(unknown.map((name) => ({ line: 0, field: name, text: texts('importUnknown', { name }) })));
  const drafts = draftsOf(parsed, columns);
  const changes = drafts.filter(({ body }) => body['id'] !== undefined).length;
  if (changes && changes < drafts.length) return wrong([{ line: 0, field: 'id', text: texts('importMixed') }]);
  await resolveNames(api, catalogue, drafts, textsOf(visit));
  if (given.fields.has('_check')) return dryRun(visit, columns.model, drafts);
  // Nobody mends a file to hear then of what else is wrong; and what is written portion by portion is looked at before.
  if (problemsIn(drafts).length || portionOf(drafts, partsIn) < drafts.length) {
    const { problems } = await faultsOf(visit, columns.model, drafts);
    if (problems.length) return { ...wrong(problems), said: texts('importNoneDone') };
  }
  const message = given.fields.get('changelog_message')?.trim();
  for (const { body } of drafts) if (message) body['changelog_message'] ??= message;
  const rest = drafts.map(({ line, body, parts }) => ({ line, body, parts }));
  return portion(visit, columns, { done: 0, total: rest.length, rest });
}

const wrong = (problems: LineProblem[]): State => ({ problems, status: 400 });

/** What would happen, and what would be wrong; nothing is written. */
async function dryRun(visit: Visit, model: Model, drafts: readonly Draft[]): Promise<State> {
  const { texts } = visit;
  const { problems, fresh, checked } = await faultsOf(visit, model, drafts);
  const lines = new Set(problems.map(({ line }) => line)).size;
  const said = [
    texts(fresh ? 'importWouldMake' : 'importWouldChange', { count: drafts.length - lines }),
    ...(problems.length ? [texts('importWouldNot', { count: lines })] : []),
    ...(checked ? [] : [texts('importNotChecked')]),
  ].join(' ');
  return { problems, said, fine: problems.length === 0, status: problems.length ? 400 : 200 };
}

/** All that is wrong, each once and by lines: names that stand for nothing, what the API says, values that are shared. */
async function faultsOf(
  visit: Visit,
  model: Model,
  drafts: readonly Draft[],
): Promise<{ problems: LineProblem[]; fresh: boolean; checked: boolean }> {
  const { api, texts, catalogue } = visit;
  const known = problemsIn(drafts);
  const fresh = drafts.every(({ body }) => body['id'] === undefined);
  const found = fresh ? await inPortions(drafts, (some) => rehearsed(visit, model, some)) : undefined;
  const shared = fresh
    ? await sharedValues(api, catalogue, model, drafts, {
        twice: (line) => texts('importTwice', { line }),
        taken: () => texts('importTaken'),
      })
    : [];
  const unsound = new Set(known.map(({ line }) => line));
  // A row without one of its references breaks rules that it would keep with it.
  const own = (found ?? []).filter(({ line, field }) => field !== '' || !unsound.has(line));
  const said = new Set<string>();
  const problems = [...known, ...own, ...shared].filter(({ line, field, text }) => {
    const place = `${line} ${field || text}`;
    return !said.has(place) && said.add(place);
  });
  return { problems: problems.toSorted((a, b) => a.line - b.line), fresh, checked: found !== undefined };
}

/** What the API would say of new objects; documents are made whole, and not kept. */
async function rehearsed(visit: Visit, model: Model, drafts: readonly Draft[]): Promise<LineProblem[] | undefined> {
  const { api, catalogue } = visit;
  if (!hasParts(drafts)) return check(api, model, drafts);
  const outcome = await makeDocuments(api, catalogue, model, drafts, textsOf(visit), true);
  return 'problems' in outcome ? outcome.problems : [];
}

async function inPortions(
  drafts: readonly Draft[],
  work: (some: readonly Draft[]) => Promise<LineProblem[] | undefined>,
): Promise<LineProblem[] | undefined> {
  const all: LineProblem[] = [];
  for (let at = 0; at < drafts.length; ) {
    const some = drafts.slice(at, at + portionOf(drafts.slice(at), partsIn));
    const found = await work(some);
    if (!found) return undefined;
    all.push(...found);
    at += some.length;
  }
  return all;
}

/** Writes the next portion, all or none. */
async function portion(visit: Visit, { model, catalogue }: Columns, progress: Progress): Promise<State> {
  const { api, texts } = visit;
  const drafts = progress.rest
    .slice(0, portionOf(progress.rest, partsIn))
    .map((one): Draft => ({ ...one, named: [], problems: {} }));
  const outcome = hasParts(drafts)
    ? await makeDocuments(api, catalogue, model, drafts, textsOf(visit))
    : await write(api, model, drafts);
  const problems = 'problems' in outcome ? outcome.problems : [];
  if (problems.length) {
    const whole = drafts.length === progress.total;
    return {
      problems,
      status: 400,
      said: whole ? texts('importNoneDone') : texts('importSomeDone', { done: progress.done, total: progress.total }),
      // What has been written must not be written again.
      ...(progress.done
        ? {
            text: JSON.stringify(
              progress.rest.map(({ body, parts }) => ({ ...body, ...parts })),
              null,
              1,
            ),
          }
        : {}),
    };
  }
  const done = progress.done + drafts.length;
  const rest = progress.rest.slice(drafts.length);
  if (rest.length) return { progress: { done, total: progress.total, rest } };
  const { made, changed } = outcome as { made: Shown[]; changed: Shown[] };
  return {
    fine: true,
    said: texts(made.length ? 'importMade' : 'importChanged', { count: done }),
    made: made.length ? made : changed,
    text: '',
  };
}

function page(visit: Visit, { form, model }: Columns, state: State): Answer {
  const { given, texts } = visit;
  const home = webPath(model)!;
  const { problems = [], progress, made } = state;
  const labels = new Map([...form.own, ...form.custom].map(({ name, label }) => [name, label]));
  return {
    view: 'import',
    status: state.status ?? 200,
    title: texts('importTitle', { plural: within(pluralLabel(model)) }),
    data: {
      model: { label: singularLabel(model), plural: pluralLabel(model), home },
      formats: FORMATS.map((value) => ({ value, here: value === (given.fields.get('format') ?? 'auto') })),
      text: state.text ?? (progress ? '' : givenText(visit)),
      message: given.fields.get('changelog_message') ?? '',
      logged: model.features.has('changeLogging'),
      problems: problems.slice(0, SHOWN).map((one) => ({ ...one, label: labels.get(one.field) ?? one.field })),
      more: Math.max(0, problems.length - SHOWN),
      said: state.said,
      fine: state.fine ?? false,
      made: made?.slice(0, 20).map(({ id, display }) => ({ href: `${home}${id}/`, display })),
      madeMore: made ? Math.max(0, made.length - 20) : 0,
      progress: progress && { ...progress, text: progressText(progress) },
      columns: [...form.own, ...(form.tags ? [form.tags] : []), ...form.custom]
        .filter(({ kind }) => kind !== 'file')
        .map(({ name, label, kind, required, choices, help, of }) => ({
          name,
          label,
          required,
          help,
          choices: kind === 'select' || kind === 'selects' ? choices.slice(0, 60).map(({ value }) => value) : [],
          reference: of !== undefined,
        })),
      parts: Object.keys({ ...model.documents?.parts, ...model.documents?.joined }),
    },
  };
}
