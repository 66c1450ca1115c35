import { ago, type HomeWidget, html, type Listed } from '@cadastre/pages';
import { HttpError } from '@cadastre/service/errors';
import { type Delivery, LIST, TYPE } from './delivery/words.ts';
import { say } from './texts/say.ts';

const MOST = 10;

/** The last failed deliveries, on the home page of users who may see deliveries. */
const failed: HomeWidget = {
  name: 'failures',
  kind: 'cadastre.FailedDeliveries',
  title: 'Failed deliveries',
  usual: 6,
  href: ({ pageFor }) => `${pageFor(TYPE)}?status=failed`,
  async render({ api, pageFor }) {
    try {
      const { results } = await api.get<Listed<Delivery>>(`${LIST}?status=failed&omit=payload&limit=${MOST}`);
      if (!results.length) return html`<p class="none">${say('No delivery has failed.')}</p>`;
      return html`<ul class="rows">${results.map(
        (one) =>
          html`<li><a href="${pageFor(TYPE, one.id)}">${one.display}</a> <span class="faint">${ago(one.created)}</span> <span class="problem">${one.error ?? one.response_status ?? ''}</span></li>`,
      )}</ul>`;
    } catch (error) {
      // Users who may not see deliveries do not have this widget.
      if (error instanceof HttpError && error.status === 403) return undefined;
      throw error;
    }
  },
};

export const widgets: readonly HomeWidget[] = [failed];
