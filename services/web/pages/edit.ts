import type { Json, Model } from '@cadastre/model';
import { HttpError } from '@cadastre/service/errors';
import { type CustomWidget, customWidgets } from '../forms/customFields.ts';
import { fieldsOf, tagsWidget } from '../forms/fields.ts';
import { givenValue } from '../forms/values.ts';
import { apiPath, webPath } from '../model/addresses.ts';
import { singularLabel } from '../model/labels.ts';
import { type Widget, widgetsOf } from '../model/widgets.ts';
import type { PagesOptions } from '../pages.ts';
import { problemsOf } from '../problems.ts';
import type { Answer, ModelPage, Shown, Visit } from '../visit.ts';

/** The widgets of a form: of fields, of tags, of custom fields. */
interface Form {
  own: readonly Widget[];
  tags: Widget | undefined;
  custom: readonly CustomWidget[];
}

/** What has been opened: an object and the state it was in, or nothing yet. */
interface Opened {
  object: Shown | undefined;
  etag: string;
}

type Body = Record<string, Json>;

export const addPage = (_: PagesOptions): ModelPage => ({
  methods: ['GET', 'POST'],
  async answer(visit, model) {
    if (model.readOnly) throw new HttpError(404, { detail: 'There is no such page.' });
    const opened = { object: undefined, etag: '' };
    return visit.given.fields.has('proof') ? save(visit, model, opened) : form(visit, model, opened, {}, 200);
  },
});

export const editPage = (_: PagesOptions): ModelPage => ({
  methods: ['GET', 'POST'],
  async answer(visit, model, id) {
    if (model.readOnly) throw new HttpError(404, { detail: 'There is no such page.' });
    const { body: object, headers } = await visit.api.ask<Shown>('GET', `${apiPath(model)}${id}/`);
    const opened = { object, etag: headers.get('etag') ?? '' };
    return visit.given.fields.has('proof') ? save(visit, model, opened) : form(visit, model, opened, {}, 200);
  },
});

async function formOf(visit: Visit, model: Model): Promise<Form> {
  return {
    own: widgetsOf(model, visit.catalogue),
    tags: model.features.has('tags') ? tagsWidget(visit.catalogue) : undefined,
    custom: await customWidgets(visit, model),
  };
}

/** Saves what was given; or shows the form again with what is wrong. */
async function save(visit: Visit, model: Model, opened: Opened): Promise<Answer> {
  const { given, api } = visit;
  if (given.fields.has('_find')) return form(visit, model, opened, {}, 200);
  const parts = await formOf(visit, model);
  const { body, problems } = bodyOf(parts, given.fields);
  if (Object.keys(problems).length) return form(visit, model, opened, problems, 400);
  const { object } = opened;
  const seen = given.fields.get('_etag') ?? '';
  try {
    const saved = object
      ? await api.ask<Shown>('PATCH', `${apiPath(model)}${object.id}/`, {
          body,
          ...(seen && !given.fields.has('_anyway') ? { headers: { 'if-match': seen } } : {}),
        })
      : await api.ask<Shown>('POST', apiPath(model), { body: withoutNothing(body) });
    const home = webPath(model)!;
    return { to: given.fields.has('_another') ? `${home}add/` : `${home}${saved.body.id}/` };
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    if (error.status === 412) return form(visit, model, opened, { '': visit.texts('changedMeanwhile') }, 409, true);
    if (error.status !== 400) throw error;
    return form(visit, model, opened, fieldProblems(problemsOf(error), error.body), 400);
  }
}

/** What was left empty in a new object is for its defaults. */
const withoutNothing = (body: Body): Body =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null && value !== ''));

/** Problems of custom fields stand at their own fields. */
function fieldProblems(problems: Record<string, string>, body: unknown): Record<string, string> {
  const custom = (body as { custom_fields?: unknown } | null)?.custom_fields;
  if (typeof custom !== 'object' || custom === null || Array.isArray(custom)) return problems;
  return {
    ...problems,
    ...Object.fromEntries(Object.entries(custom).map(([name, texts]) => [`cf_${name}`, String(texts)])),
  };
}

function bodyOf(
  { own, tags, custom }: Form,
  fields: URLSearchParams,
): { body: Body; problems: Record<string, string> } {
  const body: Body = {};
  const problems: Record<string, string> = {};
  const take = (widget: Widget, put: (value: Json) => void): void => {
    const found = givenValue(widget, fields.getAll(widget.name));
    if (found === undefined) return;
    if ('problem' in found) problems[widget.name] = found.problem;
    else put(found.value);
  };
  for (const widget of own) take(widget, (value) => void (body[widget.name] = value));
  if (tags) take(tags, (value) => void (body['tags'] = (value as Json[]).map((id) => ({ id }))));
  const customValues: Body = {};
  for (const widget of custom) take(widget, (value) => void (customValues[widget.custom] = ofCustom(widget, value)));
  if (custom.length) body['custom_fields'] = customValues;
  const message = fields.get('changelog_message')?.trim();
  if (message) body['changelog_message'] = message;
  return { body, problems };
}

/** Custom fields know no empty texts, and booleans are no texts. */
const ofCustom = ({ kind, choices }: CustomWidget, value: Json): Json =>
  value === '' || (Array.isArray(value) && !value.length)
    ? null
    : kind === 'select' && choices[0]?.value === 'true'
      ? value === 'true'
      : value;

async function form(
  visit: Visit,
  model: Model,
  { object, etag }: Opened,
  problems: Record<string, string>,
  status: number,
  changed = false,
): Promise<Answer> {
  const { given, query, texts } = visit;
  const { own, tags, custom } = await formOf(visit, model);
  const posted = given.fields.has('proof');
  const find = given.fields.get('_find');
  const defaults = Object.fromEntries(
    Object.entries(model.fields).flatMap(([name, field]) =>
      field.default === undefined || typeof field.default === 'function' ? [] : [[name, field.default]],
    ),
  );
  const customValues = object?.['custom_fields'] as Body | undefined;
  const filled = {
    given: (name: string) =>
      posted ? given.fields.getAll(name) : !object && query.has(name) ? query.getAll(name) : undefined,
    object: {
      ...(object ?? defaults),
      ...Object.fromEntries(custom.map((one) => [one.name, customValues ? customValues[one.custom]! : one.initial])),
    },
    problems,
    finding: find === null ? undefined : { name: find, text: given.fields.get(`find.${find}`) ?? '' },
  };
  const [fields, tagFields, customFields] = await Promise.all([
    fieldsOf(visit, own, filled),
    fieldsOf(visit, tags ? [tags] : [], filled),
    fieldsOf(visit, custom, filled),
  ]);
  const shownAt = new Set([...fields, ...tagFields, ...customFields].map(({ name }) => name));
  const home = webPath(model)!;
  return {
    view: 'edit',
    status,
    title: object
      ? texts('editOne', { name: object.display })
      : texts('addOne', { label: singularLabel(model).toLowerCase() }),
    data: {
      model: { label: singularLabel(model), home },
      object,
      cancel: object ? `${home}${object.id}/` : home,
      fields,
      tagFields,
      customFields,
      etag: posted && !changed ? (given.fields.get('_etag') ?? etag) : etag,
      message: given.fields.get('changelog_message') ?? '',
      logged: model.features.has('changeLogging'),
      // What is about no field that is shown stands over the form.
      problems: Object.entries(problems).flatMap(([name, text]) =>
        shownAt.has(name) ? [] : [name ? `${name}: ${text}` : text],
      ),
      changed,
      upload: fields.some(({ kind }) => kind === 'file'),
    },
  };
}
