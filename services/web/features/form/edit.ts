import { apiPath, type Json, type Model, webPath } from '@cadastre/model';
import { HttpError } from '@cadastre/service/errors';
import { csrfField } from '@cadastre/service/web';
import { wayBack, withWayBack } from '../../ui/url/returnUrl.ts';
import { fieldsOf, type Filled, type FormField } from './fields/fields.ts';
import { mergedForm } from './conflict/conflict.ts';
import { type Body, bodyOf, type Form, formOf, withoutNothing } from './schema/formSchema.ts';
import { ASKED_FROM, manyOf, MOST, namingOf } from './many.ts';
import { printsText } from './conflict/merge.ts';
import { PALETTE } from './palette.ts';
import { zoneOf } from '../../ui/time/formTimes.ts';
import { picksIn, withPicks } from './conflict/picks.ts';
import { ADD_ROW, DROP_ROW, rowsAsked, rowsGiven } from './fields/rows.ts';
import { sentOf } from './sent.ts';
import { unlikeTwice } from './twice.ts';
import { textsOf } from './fields/values.ts';
import { groupsOf } from '../../schema/groups.ts';
import { pluralLabel, singularLabel, titleLabel } from '../../schema/labels.ts';
import { within } from '../../ui/texts/within.ts';
import { defaultsOf } from '../../schema/widgets.ts';
import type { Widget } from '../../schema/widget.ts';
import type { PageOptions } from '../../context/pageOptions.ts';
import { problemsOf } from '../../client/problems.ts';
import type { ModelPage, Shown, PageRequest } from '../../context/pageRequest.ts';
import type { Answer } from '../../ui/page/answer.ts';

/** The object that the form opened, with its ETag; no object for a new one. */
interface Opened {
  object: Shown | undefined;
  etag: string;
}

/** The state with which a form is shown again. */
interface Again {
  problems?: Record<string, string>;
  status?: number;
  /** Another user has saved the object in the meantime. */
  changed?: boolean;
  /** How many objects would be created; set until the user has confirmed it. */
  ask?: number;
}

export const addPage = (_: PageOptions): ModelPage => ({
  methods: ['GET', 'POST'],
  async answer(request, model) {
    if (model.readOnly) throw new HttpError(404, { detail: 'There is no such page.' });
    const opened = { object: undefined, etag: '' };
    await mayOpen(request, 'add', model);
    return request.submitted.fields.has(csrfField) ? save(request, model, opened) : form(request, model, opened);
  },
});

export const editPage = (_: PageOptions): ModelPage => ({
  methods: ['GET', 'POST'],
  async answer(request, model, id) {
    if (model.readOnly) throw new HttpError(404, { detail: 'There is no such page.' });
    await mayOpen(request, 'change', model);
    const address = `${apiPath(model)}${id}/`;
    const named = namedOnly(model);
    const [{ body, headers }, more] = await Promise.all([
      request.api.ask<Shown>('GET', address),
      named.length ? request.api.get<Record<string, Json>>(`${address}?fields=${named}`) : undefined,
    ]);
    const object: Shown = { ...body, ...more };
    const opened = { object, etag: headers.get('etag') ?? '' };
    return request.submitted.fields.has(csrfField) ? save(request, model, opened) : form(request, model, opened);
  },
});

/** A user who may not save gets no form; a submitted form is nevertheless shown again with its values. */
async function mayOpen({ submitted, may, texts }: PageRequest, action: string, model: Model): Promise<void> {
  if (!submitted.fields.has(csrfField) && !(await may(action, model.name)))
    throw new HttpError(403, { detail: texts('mayNotSave') });
}

/** Fields of a form that the API returns only on request. */
const namedOnly = (model: Model): string[] =>
  Object.entries(model.fields).flatMap(([name, { onlyNamed, parse }]) => (onlyNamed && parse ? [name] : []));

/** Buttons that only change the form itself. */
const REMADE = ['_find', '_kept', ADD_ROW, DROP_ROW];

/** Saves the submitted form, or shows it again with the problems. */
async function save(request: PageRequest, model: Model, opened: Opened): Promise<Answer> {
  const { fields } = request.submitted;
  if (REMADE.some((name) => fields.has(name))) return form(request, model, opened);
  const parts = await formOf(request, model);
  const said = opened.object
    ? withPicks(fields, widgetsIn(parts), withCustomValues(opened.object, parts.custom))
    : fields;
  const { body, problems } = bodyOf(parts, said, opened.object);
  for (const name of unlikeTwice(parts.own, fields)) problems[name] = request.texts('notTheSame');
  if (Object.keys(problems).length) return form(request, model, opened, { problems, status: 400 });
  try {
    return opened.object
      ? await change(request, model, opened.object, parts, body)
      : await add(request, model, parts, body);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    if (error.status === 412) return form(request, model, opened, { status: 409, changed: true });
    if (![400, 403, 409].includes(error.status)) throw error;
    return form(request, model, opened, { problems: fieldProblems(error), status: error.status });
  }
}

/** All widgets of a form, in one list. */
const widgetsIn = ({ own, tags, custom }: Form): Widget[] => [...own, ...(tags ? [tags] : []), ...custom];

function withCustomValues(object: Body, custom: Form['custom']): Body {
  const values = object['custom_fields'] as Body | undefined;
  return { ...object, ...Object.fromEntries(custom.map((one) => [one.name, values?.[one.custom] ?? null])) };
}

const imagesOf = ({ own }: Form): string[] => own.filter(({ kind }) => kind === 'file').map(({ name }) => name);

async function change(request: PageRequest, model: Model, object: Shown, parts: Form, body: Body): Promise<Answer> {
  const { api, submitted } = request;
  const seen = submitted.fields.get('_etag') ?? '';
  const sent = await sentOf(body, submitted, imagesOf(parts));
  const headers = { ...sent.headers, ...(seen && !submitted.fields.has('_anyway') ? { 'if-match': seen } : {}) };
  await api.ask('PATCH', `${apiPath(model)}${object.id}/`, { ...sent, headers });
  return { to: wayBack(request.query) ?? `${webPath(model)!}${object.id}/` };
}

async function add(request: PageRequest, model: Model, parts: Form, body: Body): Promise<Answer> {
  const { api, submitted, texts } = request;
  const home = webPath(model)!;
  const filled = withoutNothing(body);
  const many = manyOf(
    filled,
    namingIn(model, parts.own),
    parts.own.filter(({ from }) => from),
    {
      tooMany: texts('rangeTooLong', { most: MOST }),
      unlike: (count, wanted) => texts('rangesDiffer', { count, wanted }),
    },
  );
  if (many && 'problems' in many) return form(request, model, NOTHING, { problems: many.problems, status: 400 });
  const another = submitted.fields.has('_another');
  if (many) {
    const { bodies } = many;
    if (bodies.length > ASKED_FROM && submitted.fields.get('_many') !== String(bodies.length))
      return form(request, model, NOTHING, { ask: bodies.length, status: 409 });
    const { headers } = await api.ask<Shown[]>('POST', apiPath(model), { body: bodies });
    const requestId = headers.get('x-request-id');
    const made = requestId && model.features.has('timestamps') ? `?created_by_request=${requestId}` : '';
    return { to: another ? againPath(home, request) : (wayBack(request.query) ?? `${home}${made}`) };
  }
  const sent = await sentOf(filled, submitted, imagesOf(parts));
  const { body: made } = await api.ask<Shown>('POST', apiPath(model), sent);
  const asked = submitted.fields.get('_for');
  if (asked) return { to: `${home}options/?made=${made.id}&for=${encodeURIComponent(asked)}` };
  return { to: another ? againPath(home, request) : (wayBack(request.query) ?? `${home}${made.id}/`) };
}

/** The widgets whose texts may have ranges, if the model allows several objects to be created at once. */
const namingIn = ({ forms, display }: Model, own: Form['own']) =>
  forms?.many === false ? [] : namingOf(own, display.columns);

const NOTHING: Opened = { object: undefined, etag: '' };

/** The form for a further object starts with the same parameters as this one. */
const againPath = (home: string, { query }: PageRequest): string => `${home}add/${query.size ? `?${query}` : ''}`;

/** The problems that the API reports, by field; for several objects, the first problem of each field. */
function fieldProblems({ body }: HttpError): Record<string, string> {
  if (!Array.isArray(body)) return withCustom(problemsOf({ body }), body);
  const all = body.filter((one) => typeof one === 'object' && one !== null && Object.keys(one as object).length > 0);
  return Object.assign({}, ...all.toReversed().map((one) => withCustom(problemsOf({ body: one }), one)));
}

/** Problems of custom fields, under the names of their own form fields. */
function withCustom(problems: Record<string, string>, body: unknown): Record<string, string> {
  const custom = (body as { custom_fields?: unknown } | null)?.custom_fields;
  if (typeof custom !== 'object' || custom === null || Array.isArray(custom)) return problems;
  return {
    ...problems,
    ...Object.fromEntries(Object.entries(custom).map(([name, texts]) => [`cf_${name}`, String(texts)])),
  };
}

async function form(
  request: PageRequest,
  model: Model,
  { object, etag }: Opened,
  { problems = {}, status = 200, changed = false, ask }: Again = {},
): Promise<Answer> {
  const { submitted, query, texts } = request;
  const parts = await formOf(request, model);
  const { own, tags, custom } = parts;
  const posted = submitted.fields.has(csrfField);
  const find = submitted.fields.get('_find');
  const now = object
    ? withCustomValues(object, custom)
    : { ...defaultsOf(model), ...Object.fromEntries(custom.map((one) => [one.name, one.initial])) };
  const filled: Filled = {
    given: (name: string) =>
      posted ? submitted.fields.getAll(name) : !object && query.has(name) ? query.getAll(name) : undefined,
    rows: (widget: Widget) =>
      posted
        ? { rows: rowsGiven(widget, submitted.fields), more: submitted.fields.get(ADD_ROW) === widget.name }
        : object
          ? undefined
          : rowsAsked(widget, query),
    object: now,
    problems,
    finding: find === null ? undefined : { name: find, text: submitted.fields.get(`find.${find}`) ?? '' },
  };
  const all = widgetsIn(parts);
  const yours = await fieldsOf(request, all, filled);
  // Fields that both have changed stay open for as long as the form is shown again.
  const merged =
    object && (changed || picksIn(submitted.fields).size)
      ? await mergedForm(request, model, object.id, yours, await fieldsOf(request, all, heldOnly(filled)))
      : undefined;
  const fields = merged?.fields ?? yours;
  const ownFields = fields.filter(({ name }) => own.some((one) => one.name === name));
  const home = webPath(model)!;
  const shownAt = new Set(all.map(({ name }) => name));
  return {
    view: 'edit',
    status,
    title: object
      ? texts('editOne', { name: object.display })
      : texts('addOne', { label: within(singularLabel(model)) }),
    data: {
      model: { label: singularLabel(model), plural: pluralLabel(model), home },
      object,
      here: object ? withWayBack(request.path, wayBack(query)) : `${request.path}${query.size ? `?${query}` : ''}`,
      cancel: wayBack(query) ?? (object ? `${home}${object.id}/` : home),
      groups: groupsOf(model, ownFields).map(({ title, members }) => ({
        title: title === undefined ? singularLabel(model) : titleLabel(title),
        fields: members,
      })),
      tagFields: fields.filter(({ name }) => name === tags?.name),
      customGroups: customGroups(request, fields, custom),
      etag: posted && !changed ? (submitted.fields.get('_etag') ?? etag) : etag,
      began: changed && merged ? merged.began : posted ? submitted.fields.get('_began') : object && printsText(fields),
      opened: posted && !changed ? submitted.fields.get('_opened') : new Date().toISOString(),
      ...zoneOf(fields),
      forPicker: submitted.fields.get('_for') ?? query.get('_for') ?? '',
      message: submitted.fields.get('changelog_message') ?? '',
      logged: model.features.has('changeLogging'),
      // A problem that belongs to no visible field is shown above the form.
      problems: Object.entries(problems).flatMap(([name, text]) =>
        shownAt.has(name) ? [] : [name && name !== '__all__' ? `${name}: ${text}` : text],
      ),
      wrong: fields.filter(({ problem }) => problem).map(({ name, label }) => ({ name, label })),
      ask,
      conflict: merged?.conflict,
      kept: submitted.fields.has('_kept'),
      ranges: !object && namingIn(model, own)[0]?.name,
      pictures: Object.fromEntries(
        fields.filter(({ kind }) => kind === 'file').map((one) => [one.name, textsOf(one, now[one.name])[0]]),
      ),
      upload: fields.some(({ kind }) => kind === 'file'),
      palette: fields.some(({ kind }) => kind === 'color') ? PALETTE : undefined,
    },
  };
}

/** The values of the object alone, without what was submitted. */
const heldOnly = ({ object, problems }: Filled): Filled => ({
  given: () => undefined,
  object,
  problems,
  finding: undefined,
});

function customGroups(
  { texts }: PageRequest,
  fields: readonly FormField[],
  custom: Form['custom'],
): { title: string; fields: FormField[] }[] {
  const titles = [...new Set(custom.map(({ group }) => group))].toSorted();
  return titles.map((title) => ({
    title: title || texts('customFields'),
    fields: fields.filter(({ name }) => custom.some((one) => one.name === name && one.group === title)),
  }));
}
