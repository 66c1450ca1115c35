import { html, type Html, type OwnPage, type PageView, type Panel, refusalText, type Shown } from '@cadastre/pages';
import type { Json } from '@cadastre/model';
import { say } from './texts/say.ts';

const API = '/api/users/permissions/matching/';

interface Counted {
  results: { object_type: string; count: number }[];
  most: number;
}

const numbers = ({ results, most }: Counted): Html =>
  html`<ul class="rows">${results.map(
    ({ object_type: type, count }) =>
      html`<li><strong>${count >= most ? say('{count} or more', { count: most }) : count}</strong> ${type}</li>`,
  )}</ul>`;

/** How many objects a permission with these constraints would apply to, or why that cannot be determined. */
async function counted({ api }: PageView, types: readonly string[], constraints: Json): Promise<Html> {
  try {
    const { body } = await api.ask<Counted>('POST', API, { body: { object_types: types, constraints } });
    return html`<p>${say('Objects that match at present:')}</p>${numbers(body)}`;
  } catch (error) {
    const text = refusalText(error);
    if (text === undefined) throw error;
    return html`<p class="problem">${text}</p>`;
  }
}

async function told(view: PageView): Promise<Html> {
  const types = view.query.getAll('object_types').filter(Boolean);
  const text = view.query.get('constraints')?.trim() ?? '';
  if (!types.length) return html`<p class="faint">${say('Choose object types to see how many objects match.')}</p>`;
  let constraints: Json = null;
  try {
    if (text) constraints = JSON.parse(text) as Json;
  } catch {
    return html`<p class="faint">${say('As soon as this is JSON, the number of objects that match stands here.')}</p>`;
  }
  return counted(view, types, constraints);
}

/** Tells, while constraints are written, what they match. */
const matching: OwnPage = {
  path: '/users/permissions/matching/',
  title: 'Objects that match',
  render: async (view) => html`<div class="told">${await told(view)}</div>`,
};

/** The same of a permission that there is. */
const matched: Panel = {
  on: 'users.objectpermission',
  as: 'panel',
  name: 'matching',
  title: 'Objects that match',
  async render(view) {
    const { object_types: types, constraints = null } = view.object as Shown & { object_types: string[] };
    return counted(view, types, constraints);
  },
};

export const pages = [matching];
export const panels = [matched];
