import type { Json } from '@cadastre/model';
import { html, type Html, listed, nothing, type PanelView } from '@cadastre/pages';

/** The errors of a submitted form, by field; those about no field have an empty name. */
export type Problems = Readonly<Record<string, string>>;
export const FINE: Problems = {};

const textOf = (value: Json): string =>
  Array.isArray(value)
    ? value.map(textOf).join(' ')
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);

/** What the API says about a form that it refused; anything else is thrown on. */
export function problemsOf(error: unknown): Problems {
  const { status, body } = error as { status?: number; body?: Record<string, Json> };
  if ((status !== 400 && status !== 409) || typeof body !== 'object' || body === null) throw error;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      ['detail', 'non_field_errors', '__all__'].includes(name) ? '' : name,
      textOf(value),
    ]),
  );
}

/** A field with its label, its help and its error; `put` gets the attributes that connect its input with both. */
export function field(
  { name, label, help }: { name: string; label: string; help?: string },
  problems: Problems,
  put: (attributes: Html) => Html,
): Html {
  const problem = problems[name];
  const described = [problem ? `${name}-problem` : '', help ? `${name}-help` : ''].filter(Boolean).join(' ');
  const attributes = html` id="f-${name}"${problem ? html` aria-invalid="true"` : nothing}${described ? html` aria-describedby="${described}"` : nothing}`;
  return html`<div class="field${problem ? ' wrong' : ''}"><label for="f-${name}">${label}</label><div class="value">${put(attributes)}${problem ? html`<span class="problem" id="${name}-problem" role="alert">${problem}</span>` : nothing}${help ? html`<span class="help" id="${name}-help">${help}</span>` : nothing}</div></div>`;
}

export const general = (problems: Problems): Html =>
  problems[''] ? html`<div class="alert" role="alert"><p>${problems['']}</p></div>` : nothing;

/** The types of objects that the rules of a webhook are about. */
export async function typesOf({ api, object }: PanelView): Promise<string[]> {
  const { results } = await listed<{ object_types: string[] }>(api, '/api/extras/event-rules/', {
    action_object_type: 'extras.webhook',
    action_object_id: object.id,
    fields: 'object_types',
  });
  return [...new Set(results.flatMap((rule) => rule.object_types))].sort();
}
