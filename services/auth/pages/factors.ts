import { type Action, html } from '@cadastre/pages';
import { put, say } from './texts/say.ts';

const TYPE = 'users.user';

/** Removes the second factors of a user who has lost them. Only superusers may do this, as in the API. */
const reset: Action = {
  on: TYPE,
  name: 'reset-factors',
  title: 'Reset second factors',
  may: 'change',
  form: async ({ object, path, csrfField }) =>
    html`<form class="panel" method="post" action="${path}">${csrfField}<p>${put(
      'All second factors and recovery codes of {name} are removed. Then the password alone lets them in, so make sure that it is they who ask for it.',
      { name: html`<strong>${object.display}</strong>` },
    )}</p><div class="buttons"><button type="submit" class="danger">${say('Remove them')}</button></div></form>`,
  async post({ api, object, pageFor }) {
    await api.ask('POST', `/api/users/users/${object.id}/reset-factors/`);
    return pageFor(TYPE, object.id)!;
  },
};

export const actions: readonly Action[] = [reset];
