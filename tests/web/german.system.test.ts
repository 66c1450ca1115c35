// A page in German has no English but what users wrote and terms that have no German name.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseHTML } from 'linkedom';
import { PASSWORD, startSystem, type System } from '../../tools/testing/fresh-system.ts';
import { type Body, Client } from '../support/client.ts';
import { Equipment } from '../support/objects/equipment.ts';
import { unique } from '../support/unique.ts';
import { logIn, type Session } from '../support/pages/visitor.ts';

const START_MS = 240_000;

// A system of its own: pages about everything would show what other tests write, in English.
let system: System;
let api: Client;
const equipment = new Equipment(() => api);
let admin: Session;
let rack: Body;
let device: Body;
let webhook: Body;
let prefix: Body;
let port: Body;
beforeAll(async () => {
  system = await startSystem();
  api = new Client(system.base, `Token ${system.token}`);
  admin = await logIn(system.base, 'admin', PASSWORD);
  const site = await equipment.site();
  rack = await equipment.rack(site, { u_height: 4 });
  const type = await equipment.deviceType({ u_height: 1 });
  const place = { site: site.id, rack: rack.id, device_type: type.id, position: 1, face: 'front' };
  device = await equipment.device(place);
  port = await equipment.interface(device);
  const far = await equipment.interface(await equipment.device({ site: site.id }));
  const ends = ({ id }: Body) => [{ object_type: 'dcim.interface', object_id: id }];
  await equipment.make('dcim/cables', {
    a_terminations: ends(port),
    b_terminations: ends(far),
    length: 3,
    length_unit: 'm',
  });
  webhook = await api.make('/api/extras/webhooks/', { name: unique('hook'), payload_url: 'http://x.invalid/' });
  const name = unique('vrf');
  const { id: vrf } = await api.make('/api/ipam/vrfs/', { name });
  prefix = await api.make('/api/ipam/prefixes/', { prefix: '198.51.100.0/24', vrf });
}, START_MS);
afterAll(() => system?.stop());

async function shownIn(language: string, path: string) {
  const response = await fetch(system.base + path, {
    headers: { 'accept-language': language, ...(path === '/login/' ? {} : { cookie: admin.cookie }) },
    redirect: 'manual',
  });
  const html = await response.text();
  return { status: response.status, html, document: parseHTML(html).document };
}

/** Words that exist in English only. */
const ENGLISH =
  /\b(?:the|is|are|of|with|this|that|and|has|have|not|no|your|you|they|them|from|to|for|or|all|any|without|which|what|when|by|at|on|active|planned|failed|pending|edit|delete|add|save|search|apply|show|choose|name|yes)\b/i;
/**
 * Texts that are the same in German; texts that the API returns or has recorded; values of choices as a file names
 * them.
 */
const KEPT = /^Name$|^Cable #\d+ to |^The receiver answered|^No config template found|^[a-z\d-]+(?:, [a-z\d-]+)*$/;

const textsIn = (document: ReturnType<typeof parseHTML>['document']): string[] => {
  for (const one of document.querySelectorAll('script, style, code, pre, datalist')) one.remove();
  const found: string[] = [];
  for (const one of document.querySelectorAll('body, body *')) {
    for (const node of one.childNodes) if (node.nodeType === 3) found.push(node.textContent ?? '');
    for (const name of ['title', 'aria-label', 'placeholder', 'data-confirm']) found.push(one.getAttribute(name) ?? '');
  }
  return [...new Set(found.map((text) => text.replace(/\s+/g, ' ').trim()))].filter((text) => text !== '');
};

test.each<[string, () => string]>([
  ['the home page', () => '/'],
  ['a list', () => '/dcim/devices/?status=active'],
  ['a list without anything', () => '/dcim/regions/?q=nowhere-at-all'],
  ['an object', () => `/dcim/devices/${device.id}/`],
  ['a rack', () => `/dcim/racks/${rack.id}/`],
  ['racks beside each other', () => '/dcim/rack-elevations/'],
  ['a form', () => `/dcim/devices/${device.id}/edit/`],
  ['a new object', () => '/ipam/ip-addresses/add/'],
  ['an import', () => '/dcim/sites/import/'],
  ['a deletion', () => `/dcim/devices/${device.id}/delete/`],
  ['changes', () => `/dcim/devices/${device.id}/changelog/`],
  ['a journal', () => `/dcim/devices/${device.id}/journal/`],
  ['images', () => `/dcim/devices/${device.id}/images/`],
  ['the topology', () => '/dcim/topology/'],
  ['a path', () => `/dcim/interfaces/${port.id}/trace/`],
  ['the map', () => '/circuits/map/'],
  ['prefixes in a prefix', () => `/ipam/prefixes/${prefix.id}/prefixes/`],
  ['addresses of a prefix', () => `/ipam/prefixes/${prefix.id}/ip-addresses/`],
  ['deliveries', () => '/extras/webhook-deliveries/'],
  ['a webhook', () => `/extras/webhooks/${webhook.id}/`],
  ['the test of a webhook', () => `/extras/webhooks/${webhook.id}/test/`],
  ['the replay of a webhook', () => `/extras/webhooks/${webhook.id}/replay/`],
  ['workers', () => '/core/background-workers/'],
  ['replicas', () => '/core/replicas/'],
  ['parked events', () => '/core/parked-events/'],
  ['the rights of a user', () => '/users/users/1/rights/?action=view&type=dcim.site'],
  ['a permission', () => '/users/permissions/add/'],
  ['a rendered configuration', () => `/dcim/devices/${device.id}/render-config/`],
  ['the context of an object', () => `/dcim/devices/${device.id}/config-context/`],
  ['preferences', () => '/user/preferences/'],
  ['own tokens', () => '/user/api-tokens/'],
  ['second factors', () => '/user/factors/'],
  ['sessions', () => '/user/sessions/'],
  ['the keyboard', () => '/user/keyboard/'],
  ['a search', () => '/search/?q=nowhere-at-all'],
  ['the login', () => '/login/'],
])('%s is in German', async (_, path) => {
  const address = path();
  const [german, english] = await Promise.all([shownIn('de', address), shownIn('en', address)]);
  expect([address, german.status]).toEqual([address, english.status]);
  expect(german.document.documentElement.getAttribute('lang') ?? 'de').toBe('de');
  const both = new Set(textsIn(english.document));
  // Texts that are the same in both languages, and contain English words.
  const left = textsIn(german.document).filter((text) => both.has(text) && ENGLISH.test(text) && !KEPT.test(text));
  expect([address, left]).toEqual([address, []]);
});

describe('in German', () => {
  test('states are called as people call them, in lists, forms, filters and chips', async () => {
    const list = await shownIn('de', `/dcim/devices/?status=active&id=${device.id}`);
    expect(list.html).toContain('<span class="badge" data-value="active">Aktiv</span>');
    const filters = await shownIn('de', '/dcim/devices/?status=active&_show=filters');
    expect(filters.html).toContain('<option value="active" selected>Aktiv</option>');
    expect(list.document.querySelector('.chips')?.textContent).toContain('Aktiv');
    const form = await shownIn('de', `/dcim/devices/${device.id}/edit/`);
    expect(form.html).toContain('<option value="planned">Geplant</option>');
    expect((await shownIn('en', `/dcim/devices/${device.id}/edit/`)).html).toContain(
      '<option value="planned">Planned</option>',
    );
  });

  test('a file may name choices as either language does', async () => {
    const csrfToken = await admin.csrfToken('/dcim/sites/import/');
    const [one, two] = [unique('site'), unique('site')];
    const response = await fetch(`${system.base}/dcim/sites/import/`, {
      method: 'POST',
      headers: { cookie: admin.cookie, 'accept-language': 'de' },
      body: new URLSearchParams({
        csrf_token: csrfToken,
        text: `name,slug,status\n${one},${one},Planned\n${two},${two},Geplant`,
      }),
    });
    expect(response.status).toBe(200);
    const { results } = await api.read(`/api/dcim/sites/?name=${one}&name=${two}`);
    expect(results.map(({ status }: Body) => status.value)).toEqual(['planned', 'planned']);
  });
});
