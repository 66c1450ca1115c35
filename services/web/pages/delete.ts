import { HttpError } from '@cadastre/service/errors';
import { apiPath, webPath } from '../model/addresses.ts';
import { singularLabel } from '../model/labels.ts';
import type { PagesOptions } from '../pages.ts';
import { problemsOf } from '../problems.ts';
import type { ModelPage, Shown } from '../visit.ts';

/** Asks once more, and deletes. */
export const deletePage = (_: PagesOptions): ModelPage => ({
  methods: ['GET', 'POST'],
  async answer(visit, model, id) {
    if (model.readOnly) throw new HttpError(404, { detail: 'There is no such page.' });
    const { api, given, texts } = visit;
    const home = webPath(model)!;
    const address = `${apiPath(model)}${id}/`;
    const object = await api.get<Shown>(address);
    let problem: string | undefined;
    if (given.fields.has('proof'))
      try {
        const message = given.fields.get('changelog_message')?.trim();
        await api.ask('DELETE', address, message ? { body: { changelog_message: message } } : {});
        return { to: home };
      } catch (error) {
        if (!(error instanceof HttpError) || ![400, 409].includes(error.status)) throw error;
        problem = Object.values(problemsOf(error)).join(' ');
      }
    return {
      view: 'delete',
      title: texts('deleteOne', { name: object.display }),
      status: problem ? 409 : 200,
      data: {
        model: { label: singularLabel(model), home },
        object,
        cancel: `${home}${id}/`,
        problem,
        logged: model.features.has('changeLogging'),
      },
    };
  },
});
