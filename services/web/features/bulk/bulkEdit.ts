import type { Model } from '@cadastre/model';
import { type Filled, fieldsOf, type FormField } from '../form/fields/fields.ts';
import { zoneOf } from '../../ui/time/formTimes.ts';
import { again, type BulkProblems, bulkOf, messageIn, sendAll } from './bulk.ts';
import { bulkChanges, type BulkForm, bulkForm, type BulkWidget } from './bulkForm.ts';
import { doneAddress } from '../list/done.ts';
import type { PageOptions } from '../../context/pageOptions.ts';
import type { TextName } from '../../ui/texts/texts.ts';
import type { ModelPage, PageRequest } from '../../context/pageRequest.ts';
import type { Answer } from '../../ui/page/answer.ts';

/** Gives several objects the same values. */
export const bulkEditPage = ({ bulk: most }: PageOptions): ModelPage => ({
  methods: ['GET', 'POST'],
  async answer(request, model) {
    const bulk = await bulkOf(request, model, [], most);
    if ('to' in bulk) return bulk;
    const { selection, home, apply, data } = bulk;
    const { objects } = selection;
    const parts = await bulkForm(request, model);
    const { body, problems } = bulkChanges(parts, request.submitted.fields);
    const shown = (refused?: BulkProblems) =>
      form(request, model, parts, data, { ...problems, ...refused?.fields }, refused);
    const nothing = !Object.keys(body).length;
    if (!apply || request.submitted.fields.has('_find') || Object.keys(problems).length || nothing)
      return shown(apply && nothing && !Object.keys(problems).length ? nothingToDo(request) : undefined);
    const message = messageIn(request);
    const items = objects.map(({ id }) => ({ id, ...body, ...message }));
    const refused = await sendAll(request, model, 'PATCH', items, objects, most);
    return refused ? shown(refused) : { to: doneAddress(home, request.query, 'edited', objects.length) };
  },
});

const nothingToDo = ({ texts }: PageRequest): BulkProblems => ({
  done: 0,
  status: 400,
  general: [texts('nothingToChange')],
  fields: {},
  objects: [],
  more: 0,
});

type Shown = FormField & Pick<BulkWidget, 'clears'> & { cleared: boolean };

async function form(
  request: PageRequest,
  model: Model,
  { own, tags, custom }: BulkForm,
  data: Record<string, unknown>,
  problems: Record<string, string>,
  refused: BulkProblems | undefined,
): Promise<Answer> {
  const { submitted, texts } = request;
  const find = submitted.fields.get('_find');
  const cleared = new Set(submitted.fields.getAll('_nullify'));
  const filled: Filled = {
    given: (name) => submitted.fields.getAll(name).filter((text) => text !== ''),
    object: undefined,
    problems,
    finding: find === null ? undefined : { name: find, text: submitted.fields.get(`find.${find}`) ?? '' },
  };
  const fieldsFor = async (widgets: readonly BulkWidget[]): Promise<Shown[]> =>
    (await fieldsOf(request, widgets, filled)).map((field, i) => ({
      ...field,
      clears: widgets[i]!.clears,
      cleared: cleared.has(field.name),
    }));
  const [fields, tagFields, customFields] = await Promise.all([own, tags, custom].map(fieldsFor));
  const inForm = new Set([...own, ...tags, ...custom].map(({ name }) => name));
  const elsewhere = Object.entries(problems).filter(([name]) => !inForm.has(name));
  const wrong = Object.keys(problems).length > 0 && !refused;
  const answer = again(
    'bulk-edit',
    texts('bulkEditTitle', { count: Number(data['count']), label: String(data['label']) }),
    {
      ...data,
      fields,
      tagFields,
      customFields,
      custom: model.features.has('customFields'),
      ...zoneOf([...fields!, ...customFields!]),
      elsewhere: elsewhere.map(([name, text]) => `${name}: ${text}`),
      // An empty field is labelled as "no change".
      tForm: (name: TextName, values?: Record<string, string | number>) =>
        texts(name === 'choose' || name === 'notSet' ? 'noChange' : name, values),
    },
    refused,
  );
  return 'view' in answer && wrong ? { ...answer, status: 400 } : answer;
}
