import {
  type Action,
  ago,
  html,
  type Html,
  listed,
  nothing,
  type Panel,
  type PanelView,
  refusalText,
  type Shown,
} from '@cadastre/pages';
import { HttpError } from '@cadastre/service/errors';
import { say } from './texts/say.ts';

const TYPE = 'users.user';
const TOKENS = 'users.token';
const MOST = 20;

/** Whether a user has a password, as far as the requester may know. */
async function hasPassword({ api, object }: PanelView): Promise<boolean | undefined> {
  try {
    return (await api.get<{ usable: boolean }>(`/api/users/users/${object.id}/password/`)).usable;
  } catch (error) {
    if (error instanceof HttpError && [403, 404].includes(error.status)) return undefined;
    throw error;
  }
}

const row = (one: Shown, home: string): Html =>
  html`<tr><th scope="row"><a href="${home}${one.id}/">${String(one['description'] ?? '') || one.display}</a></th><td>${one['last_used'] ? ago(String(one['last_used'])) : say('never')}</td><td>${one['expires'] ? ago(String(one['expires'])) : say('never')}</td><td>${one['enabled'] ? say('yes') : say('no')}</td></tr>`;

/** How a user comes in: by a password or without, and by which tokens. */
const access: Panel = {
  on: TYPE,
  as: 'panel',
  name: 'access',
  title: 'Access',
  async render(view) {
    const { api, object, pageFor, may } = view;
    const [password, tokens] = await Promise.all([
      hasPassword(view),
      (await may('view', TOKENS))
        ? listed(api, '/api/users/tokens/', { user_id: object.id, limit: MOST })
        : { count: 0, results: [] },
    ]);
    const home = pageFor(TOKENS) ?? '';
    const { count, results } = tokens;
    return html`${password === false ? html`<p>${say('Without a password: this account is used by its tokens alone.')}</p>` : nothing}${
      results.length
        ? html`<div class="scroll" tabindex="0" role="region" aria-label="${say('API tokens')}"><table class="list"><thead><tr>${[say('Token'), say('Last used'), say('Expires'), say('Enabled')].map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${results.map((one) => row(one, home))}</tbody></table></div>${count > results.length ? html`<p><a href="${home}?user_id=${object.id}">${say('All {count} tokens', { count })}</a></p>` : nothing}`
        : html`<p class="none">${say('No tokens that you may see.')}</p>`
    }`;
  },
};

/** Asks once more before something that cannot be undone. */
const asking = (
  path: string,
  csrfField: Html,
  { title, text }: { title: string; text: string },
  problem?: string,
): Html =>
  html`<form class="panel narrow" method="post" action="${path}">${csrfField}<h2>${title}</h2><p>${text}</p>${
    problem === undefined ? nothing : html`<div class="alert" role="alert"><p>${problem}</p></div>`
  }<div class="buttons"><button type="submit" class="main">${title}</button> <a href="${path.replace(/[^/]+\/$/, '')}">${say('Back')}</a></div></form>`;

const revokeText = () => ({
  title: say('Revoke all tokens'),
  text: say('Deletes all tokens of this user, at once. What uses them is refused from then on.'),
});
const passwordText = () => ({
  title: say('Take the password away'),
  text: say(
    'Nobody can log in to this account by a password then, and its sessions end. Its tokens go on. Set a new password to undo it.',
  ),
});

function asked(
  { name, title }: Pick<Action, 'name' | 'title'>,
  said: () => { title: string; text: string },
  method: string,
  address: string,
): Action {
  return {
    on: TYPE,
    name,
    title,
    may: 'change',
    form: async ({ path, csrfField }) => asking(path, csrfField, said()),
    async post({ api, object, path, csrfField, pageFor }) {
      try {
        await api.ask(method, `/api/users/users/${object.id}/${address}/`);
        return pageFor(TYPE, object.id)!;
      } catch (error) {
        const text = refusalText(error);
        if (text === undefined) throw error;
        return asking(path, csrfField, said(), text);
      }
    },
  };
}

export const panels = [access];
export const actions = [
  asked({ name: 'revoke-tokens', title: 'Revoke all tokens' }, revokeText, 'POST', 'revoke-tokens'),
  asked({ name: 'take-password', title: 'Take the password away' }, passwordText, 'DELETE', 'password'),
];
