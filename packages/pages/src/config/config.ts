import type { Json } from '@cadastre/model';
import { html, type Html, nothing } from '../markup/html.ts';
import type { Panel, PanelView } from '../parts/parts.ts';
import { put, say } from './texts/say.ts';

const json = (value: Json | undefined): Html =>
  html`<pre class="text code" tabindex="0">${JSON.stringify(value, null, 2)}</pre>`;

const isEmpty = (value: Json | undefined): boolean =>
  value === null || value === undefined || (typeof value === 'object' && !Object.keys(value).length);

/** The config context of an object of a type, and its configuration as rendered from that: a tab each. */
export const configTabs = (on: string): readonly Panel[] => [
  {
    on,
    as: 'tab',
    name: 'config-context',
    title: 'Config context',
    shows: ['config_context', 'local_context_data'],
    render: async ({ object }) => context(object),
  },
  { on, as: 'tab', name: 'render-config', title: 'Render config', render: rendered },
];

function context({ config_context: all, local_context_data: own }: { [member: string]: Json }): Html {
  return html`<div class="panels"><section class="panel"><h2>${say('Rendered context')}</h2>${
    isEmpty(all)
      ? html`<p class="none">${say('No config context holds for it.')} <a href="/extras/config-contexts/">${say('Config contexts')}</a></p>`
      : json(all)
  }</section><section class="panel"><h2>${say('Local context')}</h2><p class="help">${say('It takes precedence over all config contexts.')}</p>${
    isEmpty(own) ? html`<p class="none">${say('It has none of its own.')}</p>` : json(own)
  }</section></div>`;
}

interface Rendering {
  configtemplate: { url: string; display: string };
  content: string;
}

/** Rendering changes nothing, so the page is read with a GET although the API is asked with a POST. */
async function rendered({ api, object, pageOf }: PanelView): Promise<Html> {
  const path = new URL(object.url, 'http://local').pathname;
  try {
    const { body } = await api.ask<Rendering>('POST', `${path}render-config/`, { body: {} });
    const page = pageOf(body.configtemplate.url);
    const template = body.configtemplate.display;
    return html`<section class="panel"><h2>${say('Rendered configuration')}</h2><p class="faint">${put(
      'By the template {template}',
      {
        template: page ? html`<a href="${page}">${template}</a>` : template,
      },
    )}</p><pre class="text code" tabindex="0">${body.content}</pre></section>`;
  } catch (error) {
    const { status, body } = error as { status?: unknown; body?: unknown };
    if (status !== 400 && status !== 403) throw error;
    return html`<section class="panel"><h2>${say('Rendered configuration')}</h2><p class="none">${reason(body)}</p>${
      status === 400
        ? html`<p>${put('Assign a {template} to the object, its role or its platform.', {
            template: html`<a href="/extras/config-templates/">${say('config template')}</a>`,
          })}</p>`
        : nothing
    }</section>`;
  }
}

const reason = (body: unknown): string => {
  const { error, detail } = (body ?? {}) as { error?: unknown; detail?: unknown };
  return String(error ?? detail ?? say('It could not be rendered.'));
};
