import { ago, html, type Html, listed, type Panel } from '@cadastre/pages';
import { type Delivery, eventText, LIST, objectOf, TYPE } from './words.ts';

const MOST = 5;

/** What failed last of an object's deliveries, and why; nothing for those who may see none. */
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
    if (!results.length) return html`<p class="none">No delivery of it has failed.</p>`;
    const rows = results.map(
      (one) =>
        html`<tr data-state="failed"><th scope="row"><a href="${pageFor(TYPE, one.id)}">#${one.id} ${eventText(one.event_type)}</a></th><td data-label="Object"><span class="about-object">${objectOf(one, view)}</span></td><td data-label="Error"><span class="why" title="${one.error}"><strong>${one.error_kind}</strong> ${one.error}</span></td><td data-label="Created">${ago(one.created)}</td></tr>`,
    );
    return html`<div class="scroll" tabindex="0" role="region" aria-label="Last failures"><table class="list"><thead><tr><th scope="col">Delivery</th><th scope="col">Object</th><th scope="col">Error</th><th scope="col">Created</th></tr></thead><tbody>${rows}</tbody></table></div><p><a href="${pageFor(TYPE)}?${filter}=${object.id}&amp;status=failed">All ${count.toLocaleString('en')} that failed</a></p>`;
  },
});
