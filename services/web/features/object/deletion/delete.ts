import { apiPath, webPath } from '@cadastre/model';
import { HttpError } from '@cadastre/service/errors';
import { csrfField } from '@cadastre/service/web';
import { wayBack, withWayBack } from '../../../ui/url/returnUrl.ts';
import { pluralLabel, singularLabel } from '../../../schema/labels.ts';
import { deletedParameter } from './deleted.ts';
import { consequencesOf } from './consequences.ts';
import type { PageOptions } from '../../../context/pageOptions.ts';
import { problemsOf } from '../../../client/problems.ts';
import type { ModelPage, Shown } from '../../../context/pageRequest.ts';

/** Shows what would be deleted too and what prevents the deletion, asks for confirmation, and deletes. */
export const deletePage = ({ addresses }: PageOptions): ModelPage => ({
  methods: ['GET', 'POST'],
  async answer(request, model, id) {
    if (model.readOnly) throw new HttpError(404, { detail: 'There is no such page.' });
    const { api, submitted, texts } = request;
    const home = webPath(model)!;
    const address = `${apiPath(model)}${id}/`;
    const object = await api.get<Shown>(address);
    let problem: string | undefined;
    if (submitted.fields.has(csrfField))
      try {
        const message = submitted.fields.get('changelog_message')?.trim();
        const { headers } = await api.ask('DELETE', address, message ? { body: { changelog_message: message } } : {});
        const requestId = model.features.has('changeLogging') ? headers.get('x-request-id') : null;
        const to = wayBack(request.query) ?? home;
        return { to: requestId ? `${to}${to.includes('?') ? '&' : '?'}${deletedParameter}=${requestId}` : to };
      } catch (error) {
        if (!(error instanceof HttpError) || ![400, 409].includes(error.status)) throw error;
        problem = Object.values(problemsOf(error)).join(' ');
      }
    return {
      view: 'delete',
      title: texts('deleteOne', { name: object.display }),
      status: problem ? 409 : 200,
      data: {
        model: { label: singularLabel(model), plural: pluralLabel(model), home },
        object,
        here: withWayBack(request.path, wayBack(request.query)),
        cancel: wayBack(request.query) ?? `${home}${id}/`,
        problem,
        message: submitted.fields.get('changelog_message') ?? '',
        found: await consequencesOf(request, addresses, model, [id]),
        logged: model.features.has('changeLogging'),
      },
    };
  },
});
