import { ago, html, type Html, listed, numberText, type Panel } from '@cadastre/pages';
import { say } from '../texts/say.ts';
import { type Delivery, eventText, LIST, objectOf, TYPE } from './words.ts';

const MOST = 5;

/** The last failed deliveries about an object, and the reasons; nothing for users who may not see deliveries. */
export const lastFailures = (on: string, filter: 'webhook_id' | 'rule_id'): Panel => ({
  on,
  as: 'panel',
  place: 'below',
  name: 'failures',
  title: 'Last failures',
  async render(view): Promise<Html | undefined> {
    const { api, object, may, pageFor } = view;
    if (!(await may('view', TYPE))) return undefined;
    const { count, results } = await listed<Delivery>(api, LIST, {
      [filter]: object.id,
      status: 'failed',
      omit: 'payload',
      limit: MOST,
    });
    if (!results.length) return html`<p class="none">${say('No delivery of it has failed.')}</p>`;
    const rows = results.map(
      (one) =>
        html`<tr data-state="failed"><th scope="row"><a href="${pageFor(TYPE, one.id)}">#${one.id} ${eventText(one.event_type)}</a></th><td data-label="${say('Object')}"><span class="about-object">${objectOf(one, view)}</span></td><td data-label="${say('Error')}"><span class="why" title="${one.error}"><strong>${one.error_kind}</strong> ${one.error}</span></td><td data-label="${say('Created')}">${ago(one.created)}</td></tr>`,
    );
    return html`<div class="scroll" tabindex="0" role="region" aria-label="${say('Last failures')}"><table class="list"><thead><tr>${[say('Delivery'), say('Object'), say('Error'), say('Created')].map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div><p><a href="${pageFor(TYPE)}?${filter}=${object.id}&amp;status=failed">${say('All {count} that failed', { count: numberText(count) })}</a></p>`;
  },
});
