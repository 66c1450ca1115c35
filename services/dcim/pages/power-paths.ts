import { bar, html, type Html, listed, numberText, type Panel, type PanelView } from '@cadastre/pages';
import { say } from './texts/say.ts';
import { type Fed, fedBy, type Feed, type Intake, type Plugged } from './power/load.ts';

type Leads = Pick<PanelView, 'pageOf' | 'shown'>;

const watts = (value: number): string => `${numberText(value)} W`;

function outlet({ outlet: one, inlets, watts: drawn }: Plugged, { pageOf }: Leads): Html {
  const used = inlets.map(
    (inlet, i) =>
      html`${i ? ', ' : ''}<a href="${pageOf(inlet.device.url) ?? ''}">${inlet.device.display}</a> <a class="faint" href="${pageOf(inlet.url) ?? ''}">${inlet.name}</a>`,
  );
  return html`<tr><th scope="row" class="depth-2"><a href="${pageOf(one.url) ?? ''}">${one.name}</a></th><td>${one.feed_leg?.label ?? ''}</td><td>${used}</td><td class="number">${inlets.length ? watts(drawn) : ''}</td></tr>`;
}

function intake(one: Intake, view: Leads): Html {
  const { inlet, plugged, watts: drawn, said } = one;
  const device = inlet.device;
  const used = plugged.filter(({ outlet: { connected_endpoints } }) => connected_endpoints?.length);
  const free = plugged.length - used.length;
  return html`<tr><th scope="row" class="depth-1">${device ? html`<a href="${view.pageOf(device.url) ?? ''}">${device.display}</a> ` : ''}<a class="faint" href="${view.pageOf(inlet.url) ?? ''}">${inlet.display}</a></th><td></td><td class="faint">${plugged.length ? say('{count} of {all} outlets in use', { count: used.length, all: plugged.length }) : ''}</td><td class="number">${watts(drawn)}${said ? html` <span class="faint">${say('allocated')}</span>` : ''}</td></tr>${used.map((plug) => outlet(plug, view))}${free && !used.length ? html`<tr><th scope="row" class="depth-2 faint">${say('{count} free outlets', { count: free })}</th><td></td><td></td><td></td></tr>` : ''}`;
}

function feedRows({ feed, intakes, watts: drawn, available }: Fed, view: Leads): Html {
  const share = available ? (drawn / available) * 100 : 0;
  return html`<tr class="free"><th scope="row"><a href="${view.pageOf(feed.url) ?? ''}">${feed.name}</a></th><td>${view.shown(feed.status)}</td><td>${bar(share, say('{drawn} of {available}', { drawn: watts(drawn), available: watts(available) }))}</td><td>${feed.rack ? view.shown(feed.rack) : ''}</td></tr>${intakes.map((one) => intake(one, view))}`;
}

/** Feeds with what they feed, and how much of them that takes. */
const table = (all: readonly Fed[], view: Leads, label: string): Html =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table class="list space power"><thead><tr>${[say('Feed, intake, outlet'), say('Status, leg'), say('Load, plugged in'), say('Rack, draw')].map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${all.map((one) => feedRows(one, view))}</tbody></table></div>`;

const feedsWith = (filter: 'power_panel_id' | 'rack_id', on: string): Panel => ({
  on,
  as: 'tab',
  name: 'power',
  title: 'Power',
  has: (object) => Number(object['powerfeed_count'] ?? 0) > 0,
  async render(view) {
    const { results, count } = await listed<Feed>(view.api, '/api/dcim/power-feeds/', { [filter]: view.object.id });
    const more =
      count > results.length
        ? html`<p class="alert" role="status">${say('There are {count} feeds; only the first {shown} are shown.', { count, shown: results.length })}</p>`
        : html``;
    return html`${more}${table(await fedBy(view.api, results), view, say('Power of {name}', { name: view.object.display }))}`;
  },
});

const ofFeed: Panel = {
  on: 'dcim.powerfeed',
  as: 'panel',
  name: 'load',
  title: 'Load',
  render: async (view) =>
    table(await fedBy(view.api, [view.object as Feed]), view, say('Load of {name}', { name: view.object.display })),
};

export const panels: readonly Panel[] = [
  feedsWith('power_panel_id', 'dcim.powerpanel'),
  feedsWith('rack_id', 'dcim.rack'),
  ofFeed,
];
