import {
  html,
  type Html,
  listed,
  type Listed,
  nothing,
  type Panel,
  type PanelView,
  refusalText,
  type Shown,
} from '@cadastre/pages';
import type { Dict } from '@cadastre/model';
import { HttpError } from '@cadastre/service/errors';
import { put, say } from './texts/say.ts';
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

/** The API shows who is a superuser only by the filter of the list. */
const isSuperuser = async ({ api, object }: PanelView): Promise<boolean> =>
  (await api.get<Listed>(`/api/users/users/?id=${object.id}&is_superuser=true&fields=id`)).count === 1;

const named = ({ pageOf }: PanelView, { url, display }: { url: string; display: string }): Html => {
  const page = pageOf(url);
  return page ? html`<a href="${page}">${display}</a>` : html`${display}`;
};

/** How a permission was given to the user: directly or by a group. */
function through(view: PanelView, permission: Permission): Html {
  const { object } = view;
  const groups = new Set((object['groups'] as unknown as Shown[]).map(({ id }) => id));
  const ways = [
    ...(permission.users.some(({ id }) => id === object.id) ? [html`${say('the user')}`] : []),
    ...permission.groups
      .filter(({ id }) => groups.has(id))
      .map((group) => put('group {name}', { name: named(view, group) })),
  ];
  return html`${ways.map((way, i) => html`${i ? ', ' : ''}${way}`)}`;
}

const constraintsOf = (value: unknown): Html =>
  value === null ? html`${say('none')}` : html`<code>${JSON.stringify(value)}</code>`;

const table = (view: PanelView, permissions: readonly Permission[], title: string): Html => html`
<div class="scroll" tabindex="0" role="region" aria-label="${title}"><table class="list">
<thead><tr>${[say('Permission'), say('By'), say('Enabled'), say('Actions'), say('Types'), say('Constraints')].map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${permissions.map(
  (one) =>
    html`<tr><th scope="row">${named(view, one)}</th><td>${through(view, one)}</td><td>${one.enabled ? say('yes') : say('no')}</td><td>${one.actions.join(', ')}</td><td>${one.object_types.join(', ')}</td><td>${constraintsOf(one.constraints)}</td></tr>`,
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

/** A type of objects, and where the API has them. */
interface ObjectType extends Shown {
  app_label: string;
  model: string;
  rest_api_endpoint: string | null;
}

const nameOf = ({ app_label: app, model }: ObjectType): string => `${app}.${model}`;

/**
 * Types grouped by app. The type that was asked for is an option even if it does not exist or the requester may not see
 * it.
 */
function typeOptions(types: readonly ObjectType[], asked: string): Html {
  const there = types.filter((one) => one.rest_api_endpoint !== null);
  const apps = [...new Set(there.map((one) => one.app_label))].sort();
  const option = (name: string) =>
    html`<option value="${name}"${name === asked ? html` selected` : nothing}>${name}</option>`;
  return html`<option value="">–</option>${
    asked && !there.some((one) => nameOf(one) === asked) ? option(asked) : nothing
  }${apps.map(
    (app) =>
      html`<optgroup label="${app}">${there
        .filter((one) => one.app_label === app)
        .map(nameOf)
        .sort()
        .map(option)}</optgroup>`,
  )}`;
}

const form = ({ path }: PanelView, { action, type, id }: Question, types: readonly ObjectType[]): Html => html`
<form class="filter-api" method="get" action="${path}">
<label>${say('May this user')} <input name="action" value="${action}" list="rights-actions" required autocomplete="off" autocapitalize="none" spellcheck="false"></label>
<datalist id="rights-actions">${ACTIONS.map((one) => html`<option>${one}</option>`)}</datalist>
<label>${say('objects of type')} <select name="type" required>${typeOptions(types, type)}</select></label>
<label>${say('with ID (optional)')} <input name="object" value="${id}" inputmode="numeric" pattern="\\d*"></label>
<button type="submit" class="main">${say('Tell me')}</button></form>`;

/** One object of a type that is asked about, as far as the requester may see it. */
async function objectOf(
  { api }: PanelView,
  { type, id }: Question,
  types: readonly ObjectType[],
): Promise<Shown | undefined | 'unseen'> {
  if (!/^\d{1,15}$/.test(id)) return undefined;
  const address = types.find((one) => nameOf(one) === type)?.rest_api_endpoint;
  if (!address) return 'unseen';
  try {
    return await api.get<Shown>(`${address.replace(/^https?:\/\/[^/]+/, '').replace(/^.*?(?=\/api\/)/, '')}${id}/`);
  } catch (error) {
    if (error instanceof HttpError && [403, 404].includes(error.status)) return 'unseen';
    throw error;
  }
}

/** Whether one of the constraints holds for an object; undefined if the requester may not know. */
async function matches(
  { api, object: { id: user } }: PanelView,
  type: string,
  constraints: readonly Dict[],
  object: number,
): Promise<boolean | undefined> {
  const body = { object_types: [type], constraints, user, object_id: object };
  try {
    const answer = await api.ask<{ results: { count: number }[] }>('POST', '/api/users/permissions/matching/', {
      body,
    });
    return answer.body.results[0]!.count > 0;
  } catch (error) {
    if (refusalText(error) === undefined) throw error;
    return undefined;
  }
}

const several = (constraints: readonly Dict[]): Html =>
  html`${constraints.map((one) => html`<code>${JSON.stringify(one)}</code> `)}`;

async function answer(
  view: PanelView,
  permissions: readonly Permission[],
  question: Question,
  types: readonly ObjectType[],
): Promise<Html> {
  const { action, type, id } = question;
  const { may, constraints, by, disabled } = verdictOf(permissions, action, type);
  const [object, superuser] = await Promise.all([objectOf(view, question, types), isSuperuser(view)]);
  const holds =
    may === 'some' && typeof object === 'object' ? await matches(view, type, constraints, object.id) : undefined;
  const what =
    object === undefined
      ? put('objects of type {type}', { type })
      : object === 'unseen'
        ? put('{type} {id} (which there is not, or which you may not see)', { type, id })
        : html`${named(view, object)}`;
  const active = view.object['is_active'] !== false;
  const strong = (text: string): Html => html`<strong>${text}</strong>`;
  const [yes, no] = [{ answer: strong(say('Yes.')) }, { answer: strong(say('No.')) }];
  const about = { action, type, what, constraints: several(constraints) };
  const said = !active
    ? put('{answer} The account is not active, so its user may do nothing.', no)
    : superuser
      ? put('{answer} The user is a superuser and may {action} {what}, whatever permissions say.', { ...yes, ...about })
      : may === 'all'
        ? put('{answer} The user may {action} {what}, whatever they are like.', { ...yes, ...about })
        : holds === true
          ? put('{answer} The user may {action} {what}, as it meets one of these constraints: {constraints}', {
              ...yes,
              ...about,
            })
          : holds === false
            ? put(
                '{answer} The user may {action} objects of type {type}, but {what} meets none of these constraints: {constraints}',
                { ...no, ...about },
              )
            : may === 'some'
              ? put('{answer} The user may {action} {what}, where one of these constraints is met: {constraints}', {
                  answer: strong(say('If it matches.')),
                  ...about,
                })
              : put('{answer} No permission lets the user {action} {what}.', { ...no, ...about });
  return html`<p role="status">${said}</p>
${by.length ? table(view, by, say('Permissions that say so')) : nothing}
${disabled.length ? html`<p>${say('These would, if they were enabled:')}</p>${table(view, disabled, say('Disabled permissions'))}` : nothing}
<p class="faint">${say('Everybody may besides do what the setting DEFAULT_PERMISSIONS says: usually what has to do with their own tokens, bookmarks, notifications and subscriptions.')}</p>`;
}

/** Tells administrators what a user may do, and which permissions say so. */
const rights: Panel = {
  on: 'users.user',
  as: 'tab',
  name: 'rights',
  title: 'Rights',
  async render(view) {
    const [permissions, { results: types }] = await Promise.all([
      permissionsOf(view),
      listed<ObjectType>(view.api, '/api/core/object-types/', {}),
    ]);
    const question = questionOf(view);
    return html`${form(view, question, types)}
${question.type ? await answer(view, permissions, question, types) : nothing}
<h2>${say('All permissions of this user')}</h2>
${permissions.length ? table(view, permissions, say('All permissions')) : html`<p class="none">${say('This user has no permissions, neither directly nor by a group.')}</p>`}`;
  },
};

export const panels = [rights];
