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

/** The widgets of a form: for fields, for tags, for custom fields. */
export interface Form {
  own: readonly Widget[];
  tags: Widget | undefined;
  custom: readonly CustomWidget[];
}

export type Body = Record<string, Json>;

/**
 * The fields of an object that can be filled in: in its own form, in the form for several objects, in files for import
 * and export.
 */
export async function formSchema(request: PageRequest, model: Model): Promise<Form> {
  return {
    own: widgetsOf(model, request.catalogue),
    tags: model.features.has('tags') ? tagsWidget(request.catalogue) : undefined,
    custom: await customWidgets(request, model),
  };
}

/** The form with help texts about the policies of the installation, for a user who fills it in. */
export async function formOf(request: PageRequest, model: Model): Promise<Form> {
  const form = await formSchema(request, model);
  return { ...form, own: await withPolicies(request, model, form.own) };
}

/** A policy of the installation that limits a value, explained before the form is filled in. */
const POLICIES: readonly {
  of(model: Model, widget: Widget): boolean;
  help(request: PageRequest): Promise<string>;
}[] = [
  // Passwords are the only fields that have to be typed twice.
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

/** The submitted values for the API, and the problems of those that cannot be parsed. */
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

/** A stored time is more precise than its input, so it is kept unless the user has typed another. */
const untouched = (widget: Widget, given: readonly string[], held: Json | undefined): boolean =>
  widget.kind === 'datetime' && typeof held === 'string' && given[0] === textsOf(widget, held)[0];

/** A field that can be derived from the name need not be filled in. */
const slugFor = ({ from, max }: Widget, fields: URLSearchParams): string => slugOf(fields.get(from ?? '') ?? '', max);

/** For custom fields the API takes null instead of an empty text, and real booleans. */
const ofCustom = ({ kind, choices }: CustomWidget, value: Json): Json =>
  value === '' || (Array.isArray(value) && !value.length)
    ? null
    : kind === 'select' && choices[0]?.value === 'true'
      ? value === 'true'
      : value;

/** Empty values of a new object are left out, so that its defaults apply. */
export const withoutNothing = (body: Body): Body =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null && value !== ''));
