import { ago, html, type Listed, numberText, type OwnPage } from '@cadastre/pages';
import { say } from './texts/say.ts';

interface Worker {
  name: string;
  state: string;
  successful_job_count: number;
  failed_job_count: number;
  birth_date: string;
}

/** The processes that send deliveries, for administrators. */
const workers: OwnPage = {
  path: '/core/background-workers/',
  title: 'Workers',
  menu: 'Operations',
  administrators: true,
  async render({ api }) {
    const { results } = await api.get<Listed<Worker>>('/api/core/background-workers/?limit=200');
    const rows = results.map(
      (one) =>
        html`<tr><th scope="row">${one.name}</th><td data-label="${say('State')}"><span class="badge" data-value="${one.state === 'busy' ? 'running' : 'idle'}">${one.state === 'busy' ? say('busy') : one.state === 'idle' ? say('idle') : one.state}</span></td><td data-label="${say('Succeeded')}">${numberText(one.successful_job_count)}</td><td data-label="${say('Failed')}">${numberText(one.failed_job_count)}</td><td data-label="${say('Running since')}">${ago(one.birth_date)}</td></tr>`,
    );
    return html`<p>${say('A worker is a process that sends deliveries, many at the same time.')}</p>${
      rows.length
        ? html`<div class="scroll" tabindex="0" role="region" aria-label="${say('Workers')}"><table class="list"><thead><tr>${[say('Worker'), say('State'), say('Succeeded'), say('Failed'), say('Running since')].map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`
        : html`<p class="alert" role="status">${say('No worker is running. Deliveries wait until one starts.')}</p>`
    }`;
  },
};

export const pages: readonly OwnPage[] = [workers];
