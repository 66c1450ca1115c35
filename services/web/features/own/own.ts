import type { OwnPage } from '@cadastre/pages';
import { csrfField } from '@cadastre/service/web';
import { titleLabel } from '../../schema/labels.ts';
import type { PageOptions } from '../../context/pageOptions.ts';
import { viewOf } from '../../context/pageView.ts';
import type { Page } from '../../context/pageRequest.ts';

/** A page that a service provides, within the frame of all pages. */
export const ownPage = ({ addresses }: PageOptions, own: OwnPage): Page => ({
  methods: own.post ? ['GET', 'POST'] : ['GET'],
  async answer(request) {
    const view = viewOf(request, addresses);
    if (own.post && request.submitted.fields.has(csrfField)) {
      const answer = await own.post(view);
      if (typeof answer === 'string') return { to: answer };
      return { view: 'own', status: 400, title: titleLabel(own.title), data: { body: answer } };
    }
    const body = await own.render(view);
    return typeof body === 'string' ? { to: body } : { view: 'own', title: titleLabel(own.title), data: { body } };
  },
});
