import { html, type Html, type Listed, nothing, type Panel, type PanelView, type Shown } from '@cadastre/pages';
import { HttpError } from '@cadastre/service/errors';
import { type Permission, verdictOf } from '../rights/verdict.ts';

const ACTIONS = ['view', 'add', 'change', 'delete'];
const MOST = 1000;

/** The permissions that a user has been given, or one of the user's groups. */
async function permissionsOf({ api, object }: PanelView): Promise<Permission[]> {
  const groups = (object['groups'] as unknown as Shown[]).map(({ id }) => `group_id=${id}`).join('&');
  const path = (filter: string): string => `/api/users/permissions/?${filter}&limit=${MOST}`;
  const ask = (filter: string) => api.get<Listed<Permission>>(path(filter));
  const lists = await Promise.all([ask(`user_id=${object.id}`), ...(groups ? [ask(groups)] : [])]);
  return [...new Map(lists.flatMap(({ results }) => results).map((one) => [one.id, one])).values()];
}

/** Superusers are told by the filter of the list only. */
const isSuperuser = async ({ api, object }: PanelView): Promise<boolean> =>
  (await api.get<Listed>(`/api/users/users/?id=${object.id}&is_superuser=true&fields=id`)).count === 1;

const named = ({ pageOf }: PanelView, { url, display }: { url: string; display: string }): Html => {
  const page = pageOf(url);
  return page ? html`<a href="${page}">${display}</a>` : html`${display}`;
};

/** By which way a permission has reached the user. */
function through(view: PanelView, permission: Permission): Html {
  const { object } = view;
  const groups = new Set((object['groups'] as unknown as Shown[]).map(({ id }) => id));
  const ways = [
    ...(permission.users.some(({ id }) => id === object.id) ? [html`the user`] : []),
    ...permission.groups.filter(({ id }) => groups.has(id)).map((group) => html`group ${named(view, group)}`),
  ];
  return html`${ways.map((way, i) => html`${i ? ', ' : ''}${way}`)}`;
}

const constraintsOf = (value: unknown): Html =>
  value === null ? html`none` : html`<code>${JSON.stringify(value)}</code>`;

const table = (view: PanelView, permissions: readonly Permission[], title: string): Html => html`
<div class="scroll" tabindex="0" role="region" aria-label="${title}"><table class="list">
<thead><tr><th scope="col">Permission</th><th scope="col">By</th><th scope="col">Enabled</th><th scope="col">Actions</th><th scope="col">Types</th><th scope="col">Constraints</th></tr></thead>
<tbody>${permissions.map(
  (one) =>
    html`<tr><th scope="row">${named(view, one)}</th><td>${through(view, one)}</td><td>${one.enabled ? 'yes' : 'no'}</td><td>${one.actions.join(', ')}</td><td>${one.object_types.join(', ')}</td><td>${constraintsOf(one.constraints)}</td></tr>`,
)}</tbody></table></div>`;

/** What was asked: an action, a type, and perhaps one object of it. */
interface Question {
  action: string;
  type: string;
  id: string;
}

const questionOf = ({ query }: PanelView): Question => ({
  action: query.get('action')?.trim().toLowerCase() || 'view',
  type: query.get('type')?.trim().toLowerCase() ?? '',
  id: query.get('object')?.trim() ?? '',
});

const form = ({ path }: PanelView, { action, type, id }: Question): Html => html`
<form class="filter-api" method="get" action="${path}">
<label>May this user <input name="action" value="${action}" list="rights-actions" required autocomplete="off" autocapitalize="none" spellcheck="false"></label>
<datalist id="rights-actions">${ACTIONS.map((one) => html`<option>${one}</option>`)}</datalist>
<label>objects of type <input name="type" value="${type}" placeholder="dcim.site" required pattern="[a-zA-Z0-9_]+\\.[a-zA-Z0-9_]+" autocapitalize="none" spellcheck="false"></label>
<label>with ID (optional) <input name="object" value="${id}" inputmode="numeric" pattern="\\d*"></label>
<button type="submit" class="main">Tell me</button></form>`;

/** One object of a type that is asked about, as far as whoever asks may see it. */
async function objectOf({ api }: PanelView, { type, id }: Question): Promise<Shown | undefined | 'unseen'> {
  if (!/^\d{1,15}$/.test(id)) return undefined;
  const [app, model] = type.split('.');
  const types = await api.get<Listed<Shown & { rest_api_endpoint: string | null }>>(
    `/api/core/object-types/?app_label=${encodeURIComponent(app ?? '')}&model=${encodeURIComponent(model ?? '')}`,
  );
  const address = types.results[0]?.rest_api_endpoint;
  if (!address) return 'unseen';
  try {
    return await api.get<Shown>(`${address.replace(/^https?:\/\/[^/]+/, '').replace(/^.*?(?=\/api\/)/, '')}${id}/`);
  } catch (error) {
    if (error instanceof HttpError && [403, 404].includes(error.status)) return 'unseen';
    throw error;
  }
}

async function answer(view: PanelView, permissions: readonly Permission[], question: Question): Promise<Html> {
  const { action, type, id } = question;
  const { may, constraints, by, disabled } = verdictOf(permissions, action, type);
  const [object, superuser] = await Promise.all([objectOf(view, question), isSuperuser(view)]);
  const what =
    object === undefined
      ? html`objects of type ${type}`
      : object === 'unseen'
        ? html`${type} ${id} (which there is not, or which you may not see)`
        : html`${named(view, object)}`;
  const active = view.object['is_active'] !== false;
  const said = !active
    ? html`<strong>No.</strong> The account is not active, so its user may do nothing.`
    : superuser
      ? html`<strong>Yes.</strong> The user is a superuser and may ${action} ${what}, whatever permissions say.`
      : may === 'all'
        ? html`<strong>Yes.</strong> The user may ${action} ${what}, whatever they are like.`
        : may === 'some'
          ? html`<strong>If it matches.</strong> The user may ${action} ${what}, where one of these constraints is met: ${constraints.map((one) => html`<code>${JSON.stringify(one)}</code> `)}`
          : html`<strong>No.</strong> No permission lets the user ${action} ${what}.`;
  return html`<p role="status">${said}</p>
${by.length ? table(view, by, 'Permissions that say so') : nothing}
${disabled.length ? html`<p>These would, if they were enabled:</p>${table(view, disabled, 'Disabled permissions')}` : nothing}
<p class="faint">Everybody may besides do what the setting DEFAULT_PERMISSIONS says: usually what has to do with their own tokens, bookmarks, notifications and subscriptions.</p>`;
}

/** Tells administrators what a user may do, and which permissions say so. */
const rights: Panel = {
  on: 'users.user',
  as: 'tab',
  name: 'rights',
  title: 'Rights',
  async render(view) {
    const permissions = await permissionsOf(view);
    const question = questionOf(view);
    return html`${form(view, question)}
${question.type ? await answer(view, permissions, question) : nothing}
<h2>All permissions of this user</h2>
${permissions.length ? table(view, permissions, 'All permissions') : html`<p class="none">This user has no permissions, neither directly nor by a group.</p>`}`;
  },
};

export const panels = [rights];
