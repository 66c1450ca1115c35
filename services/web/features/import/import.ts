import { setTimeout as sleep } from 'node:timers/promises';
import { type Model, webPath } from '@cadastre/model';
import { HttpError } from '@cadastre/service/errors';
import { formOf } from '../form/schema/formSchema.ts';
import type { Columns } from './columns/fileColumns.ts';
import { areSeveral, brought, chosen } from './files/brought.ts';
import { type FilesSoFar, filesState, importSeveral } from './several.ts';
import { BadZip, type Brought } from './files/zip.ts';
import { helpOf } from './columns/help.ts';
import { FORMATS, type Format } from './reading/parse.ts';
import { MOST_MADE } from './steps/outcome.ts';
import { progressIn, SHOWN } from './steps/progress.ts';
import type { Fault, Found } from './reading/reading.ts';
import { begin, type State, step, stopped, type Wanted, wrong } from './steps/steps.ts';
import type { Reader } from './reading/reader.ts';
import { uniqueFields } from './steps/unique.ts';
import { pluralLabel, singularLabel } from '../../schema/labels.ts';
import { within } from '../../ui/texts/within.ts';
import type { PageOptions } from '../../context/pageOptions.ts';
import type { ModelPage, Visit } from '../../context/pageRequest.ts';
import type { Answer, Shows } from '../../ui/page/answer.ts';

/** What takes no longer is answered as soon as it is there; of all else the page tells how far it is, so often. */
const SOON_MS = 1_000;
const EVERY_MS = 500;

/** What reads the texts that the page is given. */
export interface ImportOptions {
  imports: Pick<Reader, 'read' | 'files'>;
}
type Options = PageOptions & ImportOptions;

/** New objects, or changes of some, out of a text or a file. */
export const importPage = (options: Options): ModelPage => ({
  methods: ['GET', 'POST'],
  async admits(visit, model) {
    const [add, change] = await Promise.all(['add', 'change'].map((action) => visit.may(action, model.name)));
    if (!add && !change) throw new HttpError(403, { detail: visit.texts('importMayNot') });
  },
  async answer(visit, model) {
    if (model.readOnly) throw new HttpError(404, { detail: 'There is no such page.' });
    const columns = { form: await formOf(visit, model), catalogue: visit.catalogue, model };
    const { fields } = visit.given;
    if (!fields.has('proof') || fields.has('_kept')) return page(visit, columns, {});
    const progress = progressIn(fields.get('progress'));
    if (progress && fields.has('_stop')) return page(visit, columns, stopped(visit, progress));
    const most = options.bulk.bytes;
    if (progress) return page(visit, columns, await step(visit, columns, progress, fields.getAll('portion'), { most }));
    const files = chosen(visit.given);
    return areSeveral(files) ? startedSeveral(visit, columns, files, options) : started(visit, columns, options);
  },
});

const givenText = ({ given: { fields, files } }: Visit): string | Buffer =>
  (files.get('file') ?? files.get('folder'))?.bytes ?? fields.get('text') ?? '';

const wantedOf = ({ given: { fields } }: Visit, { bulk }: Options): Wanted => ({
  dry: fields.has('_check'),
  message: fields.get('changelog_message')?.trim() ?? '',
  most: bulk.bytes,
});

/** Reads a text, and goes on with what stands in it. */
async function started(visit: Visit, columns: Columns, options: Options): Promise<Answer> {
  const { given, catalogue, user, gone, texts } = visit;
  const asked = given.fields.get('format') as Format;
  let rows = 0;
  const reading = options.imports.read(
    String(user.userId),
    {
      text: givenText(visit),
      format: FORMATS.includes(asked) ? asked : 'auto',
      unique: uniqueFields(catalogue, columns.model),
    },
    gone,
    (count) => {
      rows = count;
    },
  );
  const goneOn = async (read: Found | Fault): Promise<Answer> =>
    page(visit, columns, await begin(visit, columns, read, wantedOf(visit, options)));
  return growing(visit, columns, reading, goneOn, () => texts('importRead', { count: rows }));
}

/** Imports several files, or those of an archive, one by one. */
async function startedSeveral(
  visit: Visit,
  columns: Columns,
  files: readonly Brought[],
  options: Options,
): Promise<Answer> {
  const { gone, texts } = visit;
  const { imports } = options;
  const wanted = wantedOf(visit, options);
  let far: FilesSoFar | undefined;
  const working = brought(files, imports.files, gone).then((all) =>
    importSeveral(visit, columns, all, imports, wanted, (now) => {
      far = now;
    }),
  );
  const told = working.then(
    (outcomes) => page(visit, columns, filesState(visit, outcomes, wanted.dry)),
    (error: unknown) => {
      if (!(error instanceof BadZip)) throw error;
      return page(visit, columns, wrong([{ line: 0, field: '', text: texts(error.text, error.said) }]));
    },
  );
  const word = () => (far ? texts('importFilesFar', { ...far }) : texts('importRead', { count: 0 }));
  return growing(visit, columns, told, async (answer) => answer, word);
}

/** What takes longer is answered by a page that grows, and says how far it is. */
async function growing<T>(
  visit: Visit,
  columns: Columns,
  working: Promise<T>,
  last: (done: T) => Promise<Answer>,
  word: () => string,
): Promise<Answer> {
  const over = working.then(
    () => true,
    () => true,
  );
  if (await Promise.race([over, sleep(SOON_MS, false)])) return last(await working);
  return { underway: { first: readingPage(visit, columns), words: words(), last: working.then(last) } };

  async function* words(): AsyncGenerator<string> {
    do yield word();
    while (!(await Promise.race([over, sleep(EVERY_MS, false)])));
  }
}

const titleOf = ({ texts }: Visit, model: Model): string =>
  texts('importTitle', { plural: within(pluralLabel(model)) });

const readingPage = (visit: Visit, { model }: Columns): Shows => ({
  view: 'import-reading',
  title: titleOf(visit, model),
  data: { model: { plural: pluralLabel(model), home: webPath(model)! } },
});

/** The longest text that is shown again, in characters: a longer one is better mended where it comes from. */
const SHOWN_TEXT = 256 * 1024;

function textAgain(visit: Visit): string {
  if (areSeveral(chosen(visit.given))) return '';
  const text = givenText(visit);
  return text.length > SHOWN_TEXT ? '' : String(text);
}

function page(visit: Visit, columns: Columns, state: State): Shows {
  const { form, model } = columns;
  const { given } = visit;
  const home = webPath(model)!;
  const { problems = [], progress, portions, made, more = 0 } = state;
  const labels = new Map([...form.own, ...form.custom].map(({ name, label }) => [name, label]));
  return {
    view: 'import',
    status: state.status ?? 200,
    title: titleOf(visit, model),
    data: {
      model: { label: singularLabel(model), plural: pluralLabel(model), home },
      formats: FORMATS.map((value) => ({ value, here: value === (given.fields.get('format') ?? 'auto') })),
      text: state.text ?? (progress ? '' : textAgain(visit)),
      message: given.fields.get('changelog_message') ?? '',
      logged: model.features.has('changeLogging'),
      problems: problems.slice(0, SHOWN).map((one) => ({ ...one, label: labels.get(one.field) ?? one.field })),
      more: more + Math.max(0, problems.length - SHOWN),
      said: state.said,
      outcomes: state.outcomes?.map((one) => ({
        ...one,
        problems: one.problems
          .slice(0, SHOWN)
          .map((problem) => ({ ...problem, label: labels.get(problem.field) ?? problem.field })),
        made: one.made.map(({ id, display }) => ({ href: `${home}${id}/`, display })),
      })),
      fine: state.fine ?? false,
      made: made?.slice(0, MOST_MADE).map(({ id, display }) => ({ href: `${home}${id}/`, display })),
      madeMore: made ? Math.max(0, made.length - MOST_MADE) : 0,
      progress: progress && { ...progress, text: JSON.stringify(progress), portions },
      columns: helpOf(columns),
      parts: Object.keys({ ...model.documents?.parts, ...model.documents?.joined }),
    },
  };
}
