import { apiPath, webPath } from '@cadastre/model';
import type { Action, Shown } from '@cadastre/pages';
import { HttpError } from '@cadastre/service/errors';
import { csrfField } from '@cadastre/service/web';
import { headOf } from './head/head.ts';
import type { PageOptions } from '../../context/pageOptions.ts';
import { problemsOf } from '../../client/problems.ts';
import { viewOf } from '../../context/pageView.ts';
import type { ModelPage } from '../../context/pageRequest.ts';

/** An action on an object that only its model has: the form, if there is one, and the action itself. */
export const actionPage = (options: PageOptions, action: Action): ModelPage => ({
  methods: action.form ? ['GET', 'POST'] : ['POST'],
  async answer(request, model, id) {
    const object = await request.api.get<Shown>(`${apiPath(model)}${id}/`);
    const view = { ...viewOf(request, options.addresses), object };
    const show = async (body: unknown, status = 200) => ({
      view: 'tab',
      status,
      title: object.display,
      data: { ...(await headOf(request, model, object, options)), body },
    });
    if (!request.submitted.fields.has(csrfField)) {
      if (!action.form) throw new HttpError(400, { detail: request.texts('failed') });
      return show(await action.form(view));
    }
    try {
      const done = await action.post(view);
      if (typeof done === 'string') return { to: done };
      return 'shows' in done ? show(done.shows) : show(done, 400);
    } catch (error) {
      if (!(error instanceof HttpError) || error.status >= 500) throw error;
      return {
        view: 'refused',
        status: error.status,
        title: request.texts(error.status === 403 ? 'notPermitted' : 'failed'),
        data: {
          status: error.status,
          problems: problemsOf(error),
          back: { href: `${webPath(model)}${id}/`, label: object.display },
        },
      };
    }
  },
});
