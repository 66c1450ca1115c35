import type { Catalogue, Model } from '@cadastre/model';
import { widgetsOf } from '../../schema/widgets.ts';
import type { Shown } from '../../context/pageRequest.ts';
import { textsOf } from './fields/values.ts';

/** What a copy has anew: what tells objects apart, and what only one can have. */
const told = (model: Model): ReadonlySet<string> =>
  new Set([
    ...model.display.columns,
    'name',
    'slug',
    'serial',
    ...Object.entries(model.fields).flatMap(([name, field]) => (field.column?.unique ? [name] : [])),
    // Of what identifies together, what it belongs to stays, and the name or the place there is another one.
    ...model.unique.flatMap(({ fields }) =>
      fields.filter((name) => !model.fields[name]?.relation && !model.fields[name]?.choices),
    ),
  ]);

/** Long texts make addresses that browsers do not take. */
const LONGEST = 500;

/** Parameters of the form for another object like this one. */
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
