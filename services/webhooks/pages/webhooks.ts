import { type Action, html, listed, nothing, type Panel, type PanelView } from '@cadastre/pages';
import { lastFailures } from './delivery/failures.ts';
import { eventText } from './delivery/words.ts';
import { say } from './texts/say.ts';
import { type Day, day } from './webhook/day.ts';
import { replay, replayForm } from './webhook/replay.ts';
import { sendTest, testForm } from './webhook/test.ts';

const TYPE = 'extras.webhook';
const DELIVERIES = 'extras.webhookdelivery';
const RULES = 'extras.eventrule';

export const actions: readonly Action[] = [
  { on: TYPE, name: 'test', title: 'Test', may: 'test', form: (view) => testForm(view), post: sendTest },
  { on: TYPE, name: 'replay', title: 'Replay', may: 'replay', form: (view) => replayForm(view), post: replay },
];

interface Rule {
  id: number;
  url: string;
  display: string;
  enabled: boolean;
  object_types: string[];
  event_types: { value: string; label: string }[] | string[];
}

/** The rules that set it off, and the way to switch each of them on and off. */
async function rules({ api, object, may, pageFor, typeLabel, csrfField, path }: PanelView) {
  if (!(await may('view', RULES))) return undefined;
  const [{ count, results }, mayChange, mayAdd] = await Promise.all([
    listed<Rule>(api, '/api/extras/event-rules/', {
      action_object_type: TYPE,
      action_object_id: object.id,
      limit: 50,
    }),
    may('change', RULES),
    may('add', RULES),
  ]);
  const add = new URLSearchParams({
    action_type: 'webhook',
    action_object_type: TYPE,
    action_object_id: String(object.id),
  });
  const home = pageFor(RULES)!;
  const eventsOf = (rule: Rule): string =>
    rule.event_types.map((one) => eventText(typeof one === 'string' ? one : one.value).toLowerCase()).join(', ');
  return html`${
    results.length
      ? html`<ul class="rules">${results.map(
          (one) =>
            html`<li><span class="badge" data-value="${one.enabled ? 'succeeded' : 'cancelled'}">${one.enabled ? say('enabled') : say('disabled')}</span> <a href="${home}${one.id}/">${one.display}</a> <span class="faint">${one.object_types.map(typeLabel).join(', ')}: ${eventsOf(one)}</span>${mayChange ? html`<form method="post" action="${home}${one.id}/${one.enabled ? 'disable' : 'enable'}/">${csrfField}<input type="hidden" name="back" value="${path}"><button type="submit">${one.enabled ? say('Disable') : say('Enable')}<span class="aside"> ${one.display}</span></button></form>` : nothing}</li>`,
        )}</ul>${count > results.length ? html`<p><a href="${home}?action_object_type=${TYPE}&amp;action_object_id=${object.id}">${say('All {count} rules', { count })}</a></p>` : nothing}`
      : html`<p class="none">${say('No event rule sends this webhook, so it is silent.')}</p>`
  }${mayAdd ? html`<p><a href="${home}add/?${String(add)}">${say('Add a rule')}</a></p>` : nothing}`;
}

/** How the last day went. */
async function lastDay({ api, object, may, pageFor }: PanelView) {
  if (!(await may('view', DELIVERIES))) return undefined;
  const list = `${pageFor(DELIVERIES)}?webhook_id=${object.id}`;
  const figures = await api.get<Day>(`/api/extras/webhooks/${object.id}/statistics/`);
  return html`${day(figures, list, Date.now())}<p><a href="${list}">${say('All deliveries')}</a></p>`;
}

const panel = (name: string, title: string, render: Panel['render']): Panel => ({
  on: TYPE,
  as: 'panel',
  name,
  title,
  render,
});

export const panels: readonly Panel[] = [
  panel('day', 'Last day', lastDay),
  panel('rules', 'Event rules', rules),
  lastFailures(TYPE, 'webhook_id'),
];
