import { apiPath, type Model } from '@cadastre/model';
import { enterStage } from '@cadastre/service/current-work';
import { spoken } from '../../../ui/texts/speaking.ts';
import type { Shown, PageRequest } from '../../../context/pageRequest.ts';
import { findBefore } from './before.ts';
import { draftsOf, passedOver, unknownColumns } from '../drafts/drafts.ts';
import type { Columns } from '../columns/fileColumns.ts';
import type { Draft } from '../drafts/draft.ts';
import { makeDocuments } from './documents.ts';
import { hasParts, partsIn, unknownMembers } from '../drafts/documentMembers.ts';
import type { FileOutcome } from './outcome.ts';
import type { Pictures } from '../files/pictures.ts';
import { marksOf } from './marks.ts';
import { unpacked, unpackedInTurn } from '../reading/portions.ts';
import { type Progress, withProblems } from './progress.ts';
import type { Fault, Found } from '../reading/reading.ts';
import { resolveNames } from '../naming/references.ts';
import type { Row } from '../reading/rows.ts';
import { sharedValues } from './unique.ts';
import { check, type LineProblem, type Outcome, problemsIn, rowOf, rowsIn, write } from './write.ts';

/** The state of an import. */
export interface State {
  problems?: LineProblem[];
  /** How many further problems there are. */
  more?: number;
  /** A sentence about what was done, or would be done. */
  said?: string;
  fine?: boolean;
  /** The work that remains for the following pages. */
  progress?: Progress;
  /** The results of several files. */
  outcomes?: readonly FileOutcome[];
  portions?: readonly string[];
  made?: readonly Shown[];
  /** The text to show again, if it is not the one that was submitted. */
  text?: string;
  status?: number;
}

/** What to do with a text. */
export interface Wanted {
  dry: boolean;
  message: string;
  /** The pictures that were uploaded with the text. */
  pictures?: Pictures;
  /** The most bytes of all portions together that can travel with the page. */
  most: number;
}

export const wrong = (problems: LineProblem[]): State => ({ problems, status: 400 });

/** The most by which a table grows when each of its rows is written as JSON. */
const WRITTEN_OUT = 8;
/**
 * Up to this size, the rest is shown so that it can be imported again; of a longer rest only the beginning is named.
 */
const REST = 256 * 1024;

/** Starts the import of a text that was read: a single portion is completed at once, several on the following pages. */
export async function begin(
  request: PageRequest,
  columns: Columns,
  read: Found | Fault,
  wanted: Wanted,
): Promise<State> {
  const { texts } = request;
  if ('fault' in read) return wrong([{ line: 0, ...read.at, field: '', text: texts(read.fault, read.said) }]);
  const { total, changes, portions, texts: asTexts } = read;
  if (!total) return wrong([{ line: 0, field: '', text: texts('importNothing') }]);
  const unknown = isDocuments(columns, asTexts) ? [] : unknownColumns(namesOf(read), columns);
  if (unknown.length)
    return wrong(
      unknown.map((name) => ({ line: 0, ...atOf(read, name), field: name, text: texts('importUnknown', { name }) })),
    );
  if (portions.length === 1) {
    const rows = await unpacked(portions[0]!, Number.MAX_SAFE_INTEGER);
    const drafts = await draftsFor(request, columns, rows, asTexts);
    return atOnce(request, columns, drafts, {
      ...wanted,
      passed: passedIn(rows, drafts, columns, asTexts, wanted.pictures),
    });
  }
  if (portions.reduce((sum, { length }) => sum + length, 0) > wanted.most)
    return wrong([{ line: 0, field: '', text: texts('importTooMuch') }]);
  const repeats = changes === 0 ? read.repeats : [];
  const progress = withProblems(
    {
      stage: 'check',
      dry: wanted.dry,
      at: 0,
      done: 0,
      total,
      texts: asTexts,
      fresh: true,
      checked: true,
      passed: [],
      message: wanted.message,
      problems: [],
      wrong: 0,
      more: 0,
    },
    repeats.map(({ line, field, before }) => ({ line, field, text: texts('importTwice', { line: before }) })),
  );
  return { progress, portions };
}

/**
 * As in the reference, documents may have members that have no place here: they are reported, and the rest is imported.
 */
const isDocuments = ({ model }: Columns, texts: boolean): boolean => model.documents !== undefined && !texts;

/** The contents of rows that are ignored, each once. */
function passedIn(
  rows: Row[],
  drafts: readonly Draft[],
  columns: Columns,
  texts: boolean,
  pictures?: Pictures,
): string[] {
  const passed = passedOver(rows, drafts, columns);
  if (!isDocuments(columns, texts)) return passed;
  const { model, catalogue } = columns;
  const flags = Object.keys(model.documents?.pictures?.fields ?? {}).filter((field) =>
    drafts.some(({ said, body }) => said[field] === true && !pictures?.of(body).some((one) => one.field === field)),
  );
  return [...passed, ...unknownColumns(rows, columns), ...flags, ...unknownMembers(drafts, model, catalogue)];
}

/** The names of all columns, in the form of a row. */
const namesOf = ({ columns }: Found): Row[] => [
  { line: 0, values: Object.fromEntries(columns.map(([name]) => [name, null])), places: {} },
];
const atOf = ({ columns }: Found, name: string) => columns.find(([one]) => one === name)?.[1];

/**
 * `before` has the portions before these rows if they have not been written yet: a row may name objects that they will
 * create.
 */
async function draftsFor(
  { api, catalogue }: PageRequest,
  columns: Columns,
  rows: Row[],
  texts: boolean,
  before?: () => AsyncIterable<readonly Row[]>,
): Promise<Draft[]> {
  const { model } = columns;
  enterStage('looking at an import');
  const drafts = draftsOf({ rows, texts }, columns);
  await findBefore(api, model, drafts);
  await resolveNames(api, catalogue, drafts, { model, before });
  for (const draft of drafts) {
    draft.marked = marksOf(draft, model);
    if (draft.before && partsIn(draft))
      draft.problems['id'] ??= spoken().texts('importPartsOfKnown', { name: String(draft.before['display']) });
  }
  return drafts;
}

/** Checks one portion, or writes it, all or nothing. */
async function atOnce(
  request: PageRequest,
  { model }: Columns,
  drafts: Draft[],
  wanted: Wanted & { passed: string[] },
): Promise<State> {
  const { texts } = request;
  const fresh = drafts.every(({ body }) => body['id'] === undefined);
  // All that is wrong is reported at once, so that a file need not be mended several times.
  if (wanted.dry || problemsIn(drafts).length) {
    const { problems, checked } = await faultsOf(request, model, drafts);
    if (wanted.dry)
      return looked(request, {
        problems,
        more: 0,
        wrong: rowsIn(problems),
        total: drafts.length,
        fresh,
        checked,
        passed: wanted.passed,
      });
    return { ...wrong(problems), said: texts('importNoneDone') };
  }
  const outcome = await written(request, model, drafts, wanted);
  return 'problems' in outcome
    ? {
        ...wrong(outcome.problems),
        said: outcome.left ? texts('importLeft', { count: outcome.left }) : texts('importNoneDone'),
      }
    : finished(request, outcome, drafts.length, wanted.passed);
}

/** How an import continues. */
interface Continuing extends Pick<Wanted, 'most' | 'pictures'> {
  /** Whether the part that was not written is shown again. */
  rest?: boolean;
}

/** Processes the next portion of an import that may have been started by an earlier page. */
export async function step(
  request: PageRequest,
  columns: Columns,
  progress: Progress,
  portions: readonly string[],
  { most, pictures, rest = true }: Continuing,
): Promise<State> {
  const { texts } = request;
  const { stage, at, done, total } = progress;
  const rows = portions[at] === undefined ? undefined : await unpacked(portions[at]).catch(() => undefined);
  if (!rows) return wrong([{ line: 0, field: '', text: texts('importLost') }]);
  const before =
    stage === 'check' && at > 0
      ? async function* () {
          // Invalid portions contain no names.
          try {
            yield* unpackedInTurn(portions.slice(0, at), most * WRITTEN_OUT);
          } catch {
            return;
          }
        }
      : undefined;
  const drafts = await draftsFor(request, columns, rows, progress.texts, before);
  const passed = [...new Set([...progress.passed, ...passedIn(rows, drafts, columns, progress.texts, pictures)])];
  const next = { ...progress, at: at + 1, done: done + rows.length, passed };
  if (stage === 'check') return checkedOne(request, columns, next, drafts, portions);
  const known = problemsIn(drafts);
  const outcome = known.length
    ? { problems: known }
    : await written(request, columns.model, drafts, { message: progress.message, ...(pictures ? { pictures } : {}) });
  if ('problems' in outcome) {
    const text = rest ? await restOf(rows, portions.slice(at + 1), most).catch(() => undefined) : undefined;
    return {
      ...wrong(outcome.problems),
      said:
        text === undefined
          ? texts('importRestFrom', { done, total, line: rows[0]!.line })
          : texts('importSomeDone', { done, total }),
      text: text ?? '',
    };
  }
  if (next.at < portions.length) return { progress: next, portions, made: touched(outcome) };
  return finished(request, outcome, next.done, passed);
}

async function checkedOne(
  request: PageRequest,
  { model }: Columns,
  next: Progress,
  drafts: Draft[],
  portions: readonly string[],
): Promise<State> {
  const { problems, checked } = await faultsOf(request, model, drafts);
  const fresh = next.fresh && drafts.every(({ body }) => body['id'] === undefined);
  const now = { ...withProblems(next, problems), fresh, checked: next.checked && checked };
  if (now.at < portions.length) return { progress: now, portions };
  if (now.dry) return looked(request, now);
  if (now.problems.length)
    return { ...wrong(inOrder(now.problems)), more: now.more, said: request.texts('importNoneDone') };
  return { progress: { ...now, stage: 'write', at: 0, done: 0 }, portions };
}

/** Ends the import. */
export function stopped({ texts }: PageRequest, { stage, done, total }: Progress): State {
  return { said: stage === 'check' ? texts('importStopped') : texts('importStoppedAt', { done, total }), text: '' };
}

const saidPassed = (texts: PageRequest['texts'], passed: readonly string[]): string[] =>
  passed.length ? [texts('importPassed', { columns: passed.join(', ') })] : [];

/** The result of a dry run. */
function looked(
  { texts }: PageRequest,
  {
    problems,
    more,
    wrong: lines,
    total,
    fresh,
    checked,
    passed,
  }: Pick<Progress, 'problems' | 'more' | 'wrong' | 'total' | 'fresh' | 'checked' | 'passed'>,
): State {
  const said = [
    texts(fresh ? 'importWouldMake' : 'importWouldChange', { count: total - lines }),
    ...(problems.length ? [texts('importWouldNot', { count: lines })] : []),
    ...(fresh && checked ? [] : [texts('importNotChecked')]),
    ...saidPassed(texts, passed),
  ].join(' ');
  return { problems: inOrder(problems), more, said, fine: problems.length === 0, status: problems.length ? 400 : 200 };
}

const inOrder = (problems: readonly LineProblem[]): LineProblem[] => problems.toSorted((a, b) => a.line - b.line);

/** All problems, each once and in the order of lines: unresolved names, refusals of the API, repeated values. */
async function faultsOf(
  request: PageRequest,
  model: Model,
  drafts: readonly Draft[],
): Promise<{ problems: LineProblem[]; checked: boolean }> {
  const { api, texts, catalogue } = request;
  const known = problemsIn(drafts);
  const fresh = drafts.filter(({ body }) => body['id'] === undefined);
  const found = fresh.length ? await rehearsed(request, model, fresh) : undefined;
  const shared = await sharedValues(api, catalogue, model, fresh, {
    twice: (line) => texts('importTwice', { line }),
    taken: () => texts('importTaken'),
  });
  const unsound = new Set(known.map(rowOf));
  // A row without one of its references may break rules that it would otherwise satisfy.
  const own = (found ?? []).filter((one) => one.field !== '' || !unsound.has(rowOf(one)));
  const said = new Set<string>();
  const problems = [...known, ...own, ...shared].filter(({ line, field, text }) => {
    const place = `${line} ${field || text}`;
    return !said.has(place) && said.add(place);
  });
  return { problems: inOrder(problems), checked: found !== undefined };
}

/** The problems that the API reports for new objects; documents are checked in a dry run. */
async function rehearsed(
  request: PageRequest,
  model: Model,
  drafts: readonly Draft[],
): Promise<LineProblem[] | undefined> {
  const { api, catalogue } = request;
  if (!hasParts(drafts)) return check(api, model, drafts);
  const outcome = await makeDocuments(api, catalogue, model, drafts, { dry: true });
  return 'problems' in outcome ? outcome.problems : [];
}

/** Writes a portion, all or nothing. */
async function written(
  request: PageRequest,
  model: Model,
  drafts: readonly Draft[],
  { message, pictures }: { message: string; pictures?: Pictures },
): Promise<Outcome> {
  const { api, catalogue } = request;
  for (const { body } of drafts) if (message) body['changelog_message'] ??= message;
  const whole = drafts.filter((draft) => partsIn(draft) || pictures?.of(draft.body).length);
  if (!whole.length) return write(api, catalogue, model, drafts);
  const outcome = await makeDocuments(api, catalogue, model, whole, { pictures });
  const others = drafts.filter((draft) => !whole.includes(draft));
  if ('problems' in outcome || !others.length) return outcome;
  const rest = await write(api, catalogue, model, others);
  if (!('problems' in rest)) return { made: [...outcome.made, ...rest.made], changed: rest.changed };
  await api.ask('DELETE', apiPath(model), { body: outcome.made.map(({ id }) => ({ id })) });
  return rest;
}

type Written = Exclude<Outcome, { problems: unknown }>;

/** The written objects that the page names. */
const touched = ({ made, changed }: Written): Shown[] => (made.length ? made : changed);

function finished({ texts }: PageRequest, { made, changed }: Written, count: number, passed: readonly string[]): State {
  return {
    fine: true,
    said: [
      made.length && changed.length
        ? texts('importDone', { made: made.length, changed: changed.length })
        : texts(made.length ? 'importMade' : 'importChanged', { count }),
      ...saidPassed(texts, passed),
    ].join(' '),
    made: touched({ made, changed }),
    text: '',
  };
}

/** The part that was not written, to be imported again; undefined if it is too long for a page. */
async function restOf(rows: readonly Row[], portions: readonly string[], most: number): Promise<string | undefined> {
  const values = rows.map((row) => row.values);
  for await (const more of unpackedInTurn(portions, most * WRITTEN_OUT)) {
    if (JSON.stringify(values).length > REST) return undefined;
    values.push(...more.map((row) => row.values));
  }
  const text = JSON.stringify(values, null, 1);
  return text.length <= REST ? text : undefined;
}
