import { ago, html, type Listed, type OwnPage } from '@cadastre/pages';

interface Worker {
  name: string;
  state: string;
  successful_job_count: number;
  failed_job_count: number;
  birth_date: string;
}

const number = (value: number): string => value.toLocaleString('en');

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
        html`<tr><th scope="row">${one.name}</th><td data-label="State"><span class="badge" data-value="${one.state === 'busy' ? 'running' : 'idle'}">${one.state}</span></td><td data-label="Succeeded">${number(one.successful_job_count)}</td><td data-label="Failed">${number(one.failed_job_count)}</td><td data-label="Running since">${ago(one.birth_date)}</td></tr>`,
    );
    return html`<p>A worker is a process that sends deliveries, many at the same time.</p>${
      rows.length
        ? html`<div class="scroll" tabindex="0" role="region" aria-label="Workers"><table class="list"><thead><tr><th scope="col">Worker</th><th scope="col">State</th><th scope="col">Succeeded</th><th scope="col">Failed</th><th scope="col">Running since</th></tr></thead><tbody>${rows}</tbody></table></div>`
        : html`<p class="alert" role="status">No worker is running. Deliveries wait until one starts.</p>`
    }`;
  },
};

export const pages: readonly OwnPage[] = [workers];
