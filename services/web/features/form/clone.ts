import type { Catalogue, Model } from '@cadastre/model';
import { widgetsOf } from '../../schema/widgets.ts';
import type { Shown } from '../../context/pageRequest.ts';
import { textsOf } from './fields/values.ts';

/** Fields that a copy does not take over: those that identify an object, and unique ones. */
const told = (model: Model): ReadonlySet<string> =>
  new Set([
    ...model.display.columns,
    'name',
    'slug',
    'serial',
    ...Object.entries(model.fields).flatMap(([name, field]) => (field.column?.unique ? [name] : [])),
    // Of fields that are unique together, relations and choices are copied; the others need a new value.
    ...model.unique.flatMap(({ fields }) =>
      fields.filter((name) => !model.fields[name]?.relation && !model.fields[name]?.choices),
    ),
  ]);

/** Longer texts are not copied, as browsers limit the length of an address. */
const LONGEST = 500;

/** Form parameters that create a copy of an object. */
export function cloneQuery(model: Model, object: Shown, catalogue: Catalogue): string {
  const query = new URLSearchParams();
  const anew = told(model);
  for (const widget of widgetsOf(model, catalogue)) {
    if (['file', 'secret', 'json', 'rows'].includes(widget.kind) || anew.has(widget.name)) continue;
    const texts =
      widget.kind === 'checkbox' ? [String(Boolean(object[widget.name]))] : textsOf(widget, object[widget.name]);
    for (const text of texts) if (text !== '' && text.length <= LONGEST) query.append(widget.name, text);
  }
  for (const { id } of (object['tags'] ?? []) as unknown as { id: number }[]) query.append('tags', String(id));
  return query.toString();
}
