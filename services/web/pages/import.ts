import { setTimeout as sleep } from 'node:timers/promises';
import type { Model } from '@cadastre/model';
import { HttpError } from '@cadastre/service/errors';
import { formOf } from '../forms/form.ts';
import type { Columns } from '../import/columns.ts';
import { helpOf } from '../import/naming/help.ts';
import { FORMATS, type Format } from '../import/parse.ts';
import { progressIn, SHOWN } from '../import/progress.ts';
import type { Fault, Found } from '../import/reading.ts';
import { begin, type State, step, stopped } from '../import/steps.ts';
import { uniqueFields } from '../import/unique.ts';
import { webPath } from '../model/addresses.ts';
import { pluralLabel, singularLabel, within } from '../model/labels.ts';
import type { PagesOptions } from '../pages.ts';
import type { Answer, ModelPage, Shows, Visit } from '../visit.ts';

/** What takes no longer is answered as soon as it is there; of all else the page tells how far it is, so often. */
const SOON_MS = 1_000;
const EVERY_MS = 500;

/** New objects, or changes of some, out of a text or a file. */
export const importPage = (options: PagesOptions): ModelPage => ({
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
    const { bytes } = options.bulk;
    if (progress) return page(visit, columns, await step(visit, columns, progress, fields.getAll('portion'), bytes));
    return started(visit, columns, options);
  },
});

const givenText = ({ given: { fields, files } }: Visit): string | Buffer =>
  files.get('file')?.bytes ?? fields.get('text') ?? '';

/** Reads a text, on a page that grows where that takes a while, and goes on with what stands in it. */
async function started(visit: Visit, columns: Columns, { imports, bulk }: PagesOptions): Promise<Answer> {
  const { given, catalogue, user, gone } = visit;
  const asked = given.fields.get('format') as Format;
  let rows = 0;
  const reading = imports.read(
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
  const wanted = {
    dry: given.fields.has('_check'),
    message: given.fields.get('changelog_message')?.trim() ?? '',
    most: bulk.bytes,
  };
  const goneOn = async (read: Found | Fault): Promise<Answer> =>
    page(visit, columns, await begin(visit, columns, read, wanted));
  const over = reading.then(
    () => true,
    () => true,
  );
  if (await Promise.race([over, sleep(SOON_MS, false)])) return goneOn(await reading);
  return { underway: { first: readingPage(visit, columns), words: words(), last: reading.then(goneOn) } };

  async function* words(): AsyncGenerator<string> {
    do yield visit.texts('importRead', { count: rows });
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
      fine: state.fine ?? false,
      made: made?.slice(0, 20).map(({ id, display }) => ({ href: `${home}${id}/`, display })),
      madeMore: made ? Math.max(0, made.length - 20) : 0,
      progress: progress && { ...progress, text: JSON.stringify(progress), portions },
      columns: helpOf(columns),
      parts: Object.keys({ ...model.documents?.parts, ...model.documents?.joined }),
    },
  };
}
