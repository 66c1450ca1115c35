import type { Json, Model } from '@cadastre/model';
import { passwordHelp } from './passwordPolicy.ts';
import { tokenHelp } from './tokenPolicy.ts';
import type { Widget } from '../../../schema/widget.ts';
import { widgetsOf } from '../../../schema/widgets.ts';
import type { PageRequest } from '../../../context/pageRequest.ts';
import { type CustomWidget, customWidgets } from './customFieldWidgets.ts';
import { tagsWidget } from './tagsWidget.ts';
import { rowsGiven, rowsValue } from '../fields/rows.ts';
import { slugOf } from '../fields/slug.ts';
import { givenValue, textsOf } from '../fields/values.ts';

/** The widgets of a form: of fields, of tags, of custom fields. */
export interface Form {
  own: readonly Widget[];
  tags: Widget | undefined;
  custom: readonly CustomWidget[];
}

export type Body = Record<string, Json>;

/** What there is to fill in of an object: in its own form, in those of several, in files for import and export. */
export async function formSchema(request: PageRequest, model: Model): Promise<Form> {
  return {
    own: widgetsOf(model, request.catalogue),
    tags: model.features.has('tags') ? tagsWidget(request.catalogue) : undefined,
    custom: await customWidgets(request, model),
  };
}

/** The same with what policies of the installation say, for somebody who fills it in. */
export async function formOf(request: PageRequest, model: Model): Promise<Form> {
  const form = await formSchema(request, model);
  return { ...form, own: await withPolicies(request, model, form.own) };
}

/** What a policy of the installation says about a value, shown before the form is filled in. */
const POLICIES: readonly {
  of(model: Model, widget: Widget): boolean;
  help(request: PageRequest): Promise<string>;
}[] = [
  // What is typed twice is a password.
  { of: (_, { twice }) => Boolean(twice), help: passwordHelp },
  { of: (model, { name }) => model.name === 'users.token' && name === 'expires', help: tokenHelp },
];

const withPolicies = (request: PageRequest, model: Model, widgets: readonly Widget[]): Promise<Widget[]> =>
  Promise.all(
    widgets.map(async (widget) => {
      const policy = POLICIES.find((one) => one.of(model, widget));
      return policy ? { ...widget, help: await policy.help(request) } : widget;
    }),
  );

/** What was given, as the API takes it; and what of it cannot be read. */
export function bodyOf(
  { own, tags, custom }: Form,
  fields: URLSearchParams,
  object?: { readonly [member: string]: Json },
): { body: Body; problems: Record<string, string> } {
  const body: Body = {};
  const problems: Record<string, string> = {};
  const take = (widget: Widget, held: Json | undefined, put: (value: Json) => void): void => {
    const given = fields.getAll(widget.name);
    const found = widget.rows
      ? rowsValue(widget, rowsGiven(widget, fields), held)
      : untouched(widget, given, held)
        ? { value: held! }
        : givenValue(widget, widget.from && !given[0]?.trim() ? [slugFor(widget, fields)] : given);
    if (found === undefined) return;
    if ('problem' in found) problems[widget.name] = found.problem;
    else put(found.value);
  };
  for (const widget of own) take(widget, object?.[widget.name], (value) => void (body[widget.name] = value));
  if (tags) take(tags, object?.['tags'], (value) => void (body['tags'] = (value as Json[]).map((id) => ({ id }))));
  const customValues: Body = {};
  const held = object?.['custom_fields'] as Body | undefined;
  for (const widget of custom)
    take(widget, held?.[widget.custom], (value) => void (customValues[widget.custom] = ofCustom(widget, value)));
  if (custom.length) body['custom_fields'] = customValues;
  const message = fields.get('changelog_message')?.trim();
  if (message) body['changelog_message'] = message;
  return { body, problems };
}

/** A moment is more exact than its field, and stays so until somebody types another. */
const untouched = (widget: Widget, given: readonly string[], held: Json | undefined): boolean =>
  widget.kind === 'datetime' && typeof held === 'string' && given[0] === textsOf(widget, held)[0];

/** Nobody has to fill in what follows from the name. */
const slugFor = ({ from, max }: Widget, fields: URLSearchParams): string => slugOf(fields.get(from ?? '') ?? '', max);

/** Custom fields know no empty texts, and booleans are no texts. */
const ofCustom = ({ kind, choices }: CustomWidget, value: Json): Json =>
  value === '' || (Array.isArray(value) && !value.length)
    ? null
    : kind === 'select' && choices[0]?.value === 'true'
      ? value === 'true'
      : value;

/** What was left empty in a new object is for its defaults. */
export const withoutNothing = (body: Body): Body =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null && value !== ''));
