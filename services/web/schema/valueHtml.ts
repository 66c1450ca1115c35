import type { Catalogue, Field, Json } from '@cadastre/model';
import { bar, html, type Html, nothing } from '@cadastre/pages';
import type { Addresses } from './addresses.ts';
import { choiceLabel, typeLabel } from './labels.ts';
import type { Texts } from '../ui/texts/texts.ts';
import { day, moment } from '../ui/time/times.ts';

export { moment };

/** What rendering values depends on. */
export interface Showing {
  addresses: Addresses;
  catalogue: Pick<Catalogue, 'models'>;
  texts: Texts;
}

type Related = { id?: number; url?: string; display?: string; name?: string; color?: string; slug?: string };
type Choice = { value: Json; label: string };

const isObject = (value: Json | undefined): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isChoice = (value: object): value is Choice => 'label' in value && 'value' in value;

/** The most objects of a list that a cell shows. */
const MOST = 3;

/** An empty value. */
export const empty = html`<span class="empty" aria-hidden="true">&ndash;</span>`;

/** A value as HTML, for a table cell or beside its label. */
export function shown(value: Json | undefined, field: Field | undefined, showing: Showing): Html {
  if (value === null || value === undefined || value === '') return empty;
  if (Array.isArray(value)) return value.length ? several(value, field, showing) : empty;
  if (isObject(value)) {
    if (isChoice(value))
      return html`<span class="badge" data-value="${String(value.value)}">${choiceLabel(value.label)}</span>`;
    if ('url' in value || 'display' in value) return link(value as Related, showing);
    // A row that has an object, such as the end of a cable, is shown as that object.
    if (isObject(value['object'])) return within(value['object'] as Related & { [key: string]: Json }, showing);
    return html`<code class="json">${JSON.stringify(value)}</code>`;
  }
  if (typeof value === 'boolean')
    return html`<span class="${value ? 'yes' : 'no'}">${showing.texts(value ? 'yes' : 'no')}</span>`;
  const text = String(value);
  // The API gives some choices only by their value, without a label.
  const choice = field?.choices?.find((one) => one.value === value);
  if (choice) return html`<span class="badge" data-value="${text}">${choiceLabel(choice.label)}</span>`;
  switch (field?.kind) {
    case 'color':
      return html`<span class="color"><svg viewBox="0 0 10 10" aria-hidden="true"><rect width="10" height="10" fill="#${/^[0-9a-f]{6}$/i.test(text) ? text : '000000'}"/></svg> #${text}</span>`;
    case 'datetime':
      return moment(text);
    case 'date':
      return day(text);
    case 'url':
      return /^https?:\/\//i.test(text) ? html`<a href="${text}" rel="noreferrer noopener">${text}</a>` : html`${text}`;
    case 'objectType':
    case 'objectTypes':
      return html`${typeLabel(text, showing.catalogue)}`;
    case 'email':
      return html`<a href="mailto:${text}">${text}</a>`;
    default:
      return html`${text}`;
  }
}

/** A member of an object as HTML; utilization is shown as a bar. */
export function shownMember(name: string, value: Json | undefined, field: Field | undefined, showing: Showing): Html {
  const percent = name === 'utilization' ? Number.parseFloat(String(value)) : Number.NaN;
  return Number.isNaN(percent) ? shown(value, field, showing) : bar(percent);
}

/** An object preceded by its container, if it has one: a port after its device. */
function within(one: Related & { [key: string]: Json }, showing: Showing): Html {
  const around = Object.values(one).find((member) => isObject(member) && 'url' in member && 'display' in member);
  return around ? html`${link(around as Related, showing)} ${link(one, showing)}` : link(one, showing);
}

function link(one: Related, { addresses }: Showing): Html {
  const text = one.display ?? one.name ?? String(one.id ?? '');
  const page = one.url === undefined ? undefined : addresses.pageOf(one.url);
  return page ? html`<a href="${page}">${text}</a>` : html`${text}`;
}

/** A tag in its colour. */
export const tag = (one: Related, href: string): Html =>
  html`<a class="tag" href="${href}"><svg viewBox="0 0 10 10" aria-hidden="true"><circle cx="5" cy="5" r="5" fill="#${/^[0-9a-f]{6}$/i.test(one.color ?? '') ? one.color : '9e9e9e'}"/></svg> ${one.display ?? one.name}</a>`;

/** A range of numbers in a list of ranges: its first and its last number. */
const isRange = (value: Json): value is [number, number] =>
  Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === 'number');
const rangeText = ([first, last]: [number, number]): string =>
  first === last ? String(first) : `${first}\u2013${last}`;

function several(values: readonly Json[], field: Field | undefined, showing: Showing): Html {
  const rest = values.length - MOST;
  const part = (one: Json): Html => (isRange(one) ? html`${rangeText(one)}` : shown(one, field, showing));
  const parts = values.slice(0, MOST).map((one, i) => html`${i ? ', ' : ''}${part(one)}`);
  return html`${parts}${rest > 0 ? html` <span class="more">+${rest}</span>` : nothing}`;
}
