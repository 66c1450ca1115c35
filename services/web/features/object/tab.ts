import { apiPath } from '@cadastre/model';
import type { Panel, Shown } from '@cadastre/pages';
import { csrfField } from '@cadastre/service/web';
import type { PageOptions } from '../../context/pageOptions.ts';
import { noSuchPage } from '../../client/problems.ts';
import { viewOf } from '../../context/pageView.ts';
import type { ModelPage } from '../../context/pageRequest.ts';
import { headOf } from './head/head.ts';

/** A tab that only one model's objects have. */
export const tabPage = (options: PageOptions, panel: Panel): ModelPage => ({
  methods: panel.post ? ['GET', 'POST'] : ['GET'],
  async answer(request, model, id) {
    const object = await request.api.get<Shown>(`${apiPath(model)}${id}/`);
    if (panel.has && !panel.has(object)) {
      if (!panel.otherwise) throw noSuchPage();
      return { to: panel.otherwise(object) };
    }
    const view = { ...viewOf(request, options.addresses), object };
    const posted = panel.post && request.submitted.fields.has(csrfField) ? await panel.post(view) : undefined;
    if (typeof posted === 'string') return { to: posted };
    return {
      view: 'tab',
      ...(posted ? { status: 400 } : {}),
      title: object.display,
      data: { ...(await headOf(request, model, object, options)), body: posted ?? (await panel.render(view)) },
    };
  },
});
