import { setTimeout as sleep } from 'node:timers/promises';
import { type Model, webPath } from '@cadastre/model';
import { HttpError } from '@cadastre/service/errors';
import { csrfField } from '@cadastre/service/web';
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
import type { ModelPage, PageRequest } from '../../context/pageRequest.ts';
import type { Answer, Shows } from '../../ui/page/answer.ts';

/** Up to this time, a result is sent as a whole; after it, the page grows and reports the progress at this interval. */
const SOON_MS = 1_000;
const EVERY_MS = 500;

/** The reader of the texts that are submitted. */
export interface ImportOptions {
  imports: Pick<Reader, 'read' | 'files'>;
}
type Options = PageOptions & ImportOptions;

/** Creates or changes objects from a text or a file. */
export const importPage = (options: Options): ModelPage => ({
  methods: ['GET', 'POST'],
  async admits(request, model) {
    const [add, change] = await Promise.all(['add', 'change'].map((action) => request.may(action, model.name)));
    if (!add && !change) throw new HttpError(403, { detail: request.texts('importMayNot') });
  },
  async answer(request, model) {
    if (model.readOnly) throw new HttpError(404, { detail: 'There is no such page.' });
    const columns = { form: await formOf(request, model), catalogue: request.catalogue, model };
    const { fields } = request.submitted;
    if (!fields.has(csrfField) || fields.has('_kept')) return page(request, columns, {});
    const progress = progressIn(fields.get('progress'));
    if (progress && fields.has('_stop')) return page(request, columns, stopped(request, progress));
    const most = options.bulk.bytes;
    if (progress)
      return page(request, columns, await step(request, columns, progress, fields.getAll('portion'), { most }));
    const files = chosen(request.submitted);
    return areSeveral(files) ? startedSeveral(request, columns, files, options) : started(request, columns, options);
  },
});

const givenText = ({ submitted: { fields, files } }: PageRequest): string | Buffer =>
  (files.get('file') ?? files.get('folder'))?.bytes ?? fields.get('text') ?? '';

const wantedOf = ({ submitted: { fields } }: PageRequest, { bulk }: Options): Wanted => ({
  dry: fields.has('_check'),
  message: fields.get('changelog_message')?.trim() ?? '',
  most: bulk.bytes,
});

/** Reads a text, and starts the import of its contents. */
async function started(request: PageRequest, columns: Columns, options: Options): Promise<Answer> {
  const { submitted, catalogue, user, gone, texts } = request;
  const asked = submitted.fields.get('format') as Format;
  let rows = 0;
  const reading = options.imports.read(
    String(user.userId),
    {
      text: givenText(request),
      format: FORMATS.includes(asked) ? asked : 'auto',
      unique: uniqueFields(catalogue, columns.model),
    },
    gone,
    (count) => {
      rows = count;
    },
  );
  const goneOn = async (read: Found | Fault): Promise<Answer> =>
    page(request, columns, await begin(request, columns, read, wantedOf(request, options)));
  return growing(request, columns, reading, goneOn, () => texts('importRead', { count: rows }));
}

/** Imports several files, or those of an archive, one by one. */
async function startedSeveral(
  request: PageRequest,
  columns: Columns,
  files: readonly Brought[],
  options: Options,
): Promise<Answer> {
  const { gone, texts } = request;
  const { imports } = options;
  const wanted = wantedOf(request, options);
  let far: FilesSoFar | undefined;
  const working = brought(files, imports.files, gone).then((all) =>
    importSeveral(request, columns, all, imports, wanted, (now) => {
      far = now;
    }),
  );
  const told = working.then(
    (outcomes) => page(request, columns, filesState(request, outcomes, wanted.dry)),
    (error: unknown) => {
      if (!(error instanceof BadZip)) throw error;
      return page(request, columns, wrong([{ line: 0, field: '', text: texts(error.text, error.said) }]));
    },
  );
  const word = () => (far ? texts('importFilesFar', { ...far }) : texts('importRead', { count: 0 }));
  return growing(request, columns, told, async (answer) => answer, word);
}

/** Answers an import that takes longer with a page that grows and reports the progress. */
async function growing<T>(
  request: PageRequest,
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
  return { underway: { first: readingPage(request, columns), words: words(), last: working.then(last) } };

  async function* words(): AsyncGenerator<string> {
    do yield word();
    while (!(await Promise.race([over, sleep(EVERY_MS, false)])));
  }
}

const titleOf = ({ texts }: PageRequest, model: Model): string =>
  texts('importTitle', { plural: within(pluralLabel(model)) });

const readingPage = (request: PageRequest, { model }: Columns): Shows => ({
  view: 'import-reading',
  title: titleOf(request, model),
  data: { model: { plural: pluralLabel(model), home: webPath(model)! } },
});

/** The longest text that the form shows again, in characters: a longer one is better corrected at its source. */
const SHOWN_TEXT = 256 * 1024;

function textAgain(request: PageRequest): string {
  if (areSeveral(chosen(request.submitted))) return '';
  const text = givenText(request);
  return text.length > SHOWN_TEXT ? '' : String(text);
}

function page(request: PageRequest, columns: Columns, state: State): Shows {
  const { form, model } = columns;
  const { submitted } = request;
  const home = webPath(model)!;
  const { problems = [], progress, portions, made, more = 0 } = state;
  const labels = new Map([...form.own, ...form.custom].map(({ name, label }) => [name, label]));
  return {
    view: 'import',
    status: state.status ?? 200,
    title: titleOf(request, model),
    data: {
      model: { label: singularLabel(model), plural: pluralLabel(model), home },
      formats: FORMATS.map((value) => ({ value, here: value === (submitted.fields.get('format') ?? 'auto') })),
      text: state.text ?? (progress ? '' : textAgain(request)),
      message: submitted.fields.get('changelog_message') ?? '',
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
