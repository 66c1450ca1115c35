import { type Action, html } from '@cadastre/pages';
import { put, say } from './texts/say.ts';

const TYPE = 'users.user';

/** Takes the second factors of somebody away who has lost them. Superusers alone may do it, as the API says. */
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
