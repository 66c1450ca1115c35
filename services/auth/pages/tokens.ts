import { type Action, ago, html, type Html, nothing, type Panel, type PanelView, refusalText } from '@cadastre/pages';
import { say } from './texts/say.ts';

const TYPE = 'users.token';

/** What is known of a token besides its fields. */
interface Use {
  last_used: string | null;
  last_address: string;
  idle_until: string | null;
  rotated: string | null;
  warned_days: number | null;
}

/** When and from where a token was last used, and what will become of it. */
const use: Panel = {
  on: TYPE,
  as: 'panel',
  name: 'use',
  title: 'Use',
  async render({ api, object }) {
    const told = await api.get<Use>(`/api/users/tokens/${object.id}/use/`);
    const rows: [string, Html][] = [
      [say('Last used'), told.last_used ? ago(told.last_used) : html`${say('never')}`],
      ...(told.last_address ? [[say('From'), html`<code>${told.last_address}</code>`] as [string, Html]] : []),
      ...(told.idle_until ? [[say('Ends unless it is used'), ago(told.idle_until)] as [string, Html]] : []),
      ...(told.rotated ? [[say('Another took its place'), ago(told.rotated)] as [string, Html]] : []),
      ...(told.warned_days === null
        ? []
        : [
            [say('Its user was warned'), html`${say('{days} days before it expires', { days: told.warned_days })}`] as [
              string,
              Html,
            ],
          ]),
    ];
    return html`<dl>${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
  },
};

/** For how long an old token may go on, as the form offers it. */
const SPANS = [0, 3_600, 86_400, 604_800] as const;

const spanText = (seconds: number): string =>
  ({ 0: say('not at all'), 3600: say('an hour'), 86400: say('a day') })[seconds] ?? say('a week');

/** How long the new token may last, where there is a policy. */
const policyText = (days: number | null): Html =>
  days === null ? nothing : html`<p>${say('The new token expires within {days} days.', { days })}</p>`;

async function rotateForm({ path, csrfField, submitted, object, api }: PanelView, problem?: string): Promise<Html> {
  const { max_days: days } = await api.get<{ max_days: number | null }>('/api/users/tokens/policy/');
  const asked = submitted.get('valid_seconds') ?? '';
  const option = (seconds: number): Html =>
    html`<option value="${seconds}"${asked === String(seconds) ? html` selected` : nothing}>${spanText(seconds)}</option>`;
  return html`<form class="panel narrow" method="post" action="${path}">${csrfField}<h2>${say('Rotate')}</h2>
<p>${say('Makes a new token of the same user with the same rights. The old one goes on for a while, so that whoever uses it can change over.')}</p>
${policyText(days)}${problem === undefined ? nothing : html`<div class="alert" role="alert"><p>${problem}</p></div>`}
<div class="field"><label for="f-valid">${say('The old token goes on for')}</label><div class="value"><select id="f-valid" name="valid_seconds"><option value="">${say('the usual time')}</option>${SPANS.map(option)}</select></div></div>
<div class="buttons"><button type="submit" class="main">${say('Rotate')}</button> <a href="${path.replace(/rotate\/$/, '')}">${say('Back to {name}', { name: object.display })}</a></div></form>`;
}

/** A token as a client sends it; it is shown only once. */
const secretOf = ({ version, key, token }: { version: number; key: string | null; token: string }): string =>
  version === 1 ? `Token ${token}` : `Bearer svc_${key}.${token}`;

/** The other way to write a token of version 2. */
const prefixOf = ({ version }: { version: number }): Html =>
  version === 1
    ? nothing
    : html`<p class="faint">${say('To clients that look for the prefix of NetBox give the same token with nbt_ in place of svc_.')}</p>`;

const rotate: Action = {
  on: TYPE,
  name: 'rotate',
  title: 'Rotate',
  may: 'change',
  has: (object) => object['enabled'] === true,
  form: rotateForm,
  async post(view) {
    const { api, object, submitted, pageFor } = view;
    const seconds = submitted.get('valid_seconds') ?? '';
    const body = seconds === '' ? {} : { valid_seconds: Number(seconds) };
    try {
      const made = await api.ask<Parameters<typeof secretOf>[0] & { id: number; display: string }>(
        'POST',
        `/api/users/tokens/${object.id}/rotate/`,
        { body },
      );
      const { id, display } = made.body;
      return {
        shows: html`<section class="panel made" role="status"><h2>${say('The token was made')}</h2><p>${say('Copy it now. It is not shown again.')}</p><pre class="code" tabindex="0">Authorization: ${secretOf(made.body)}</pre>${prefixOf(made.body)}<p><a href="${pageFor(TYPE, id)}">${display}</a></p></section>`,
      };
    } catch (error) {
      const text = refusalText(error);
      if (text === undefined) throw error;
      return rotateForm(view, text);
    }
  },
};

export const panels = [use];
export const actions = [rotate];
