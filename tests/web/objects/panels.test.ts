// The panels beside an object's fields for a user. They are declared in the `pages/` of services.
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Body } from '../../support/client.ts';
import { Equipment } from '../../support/objects/equipment.ts';
import { adminPassword, useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';
import { type Grant, userWith } from '../../support/users.ts';
import { logIn, type Session } from '../../support/pages/visitor.ts';

const used = useSystem();
const equipment = new Equipment(() => used.admin);
let admin: Session;
beforeAll(async () => {
  admin = await logIn(used.system.base, 'admin', adminPassword);
});

/** A new user with these permissions, who has logged in to the pages. */
async function userAt(...grants: Grant[]): Promise<Session> {
  const { name } = await userWith(used.admin, ...grants);
  return logIn(used.system.base, name, 'Correct-Horse-9');
}

/** The markup of a panel on an existing page; undefined where the page has no such panel. */
async function panelAt(path: string, name: string, session: Session): Promise<string | undefined> {
  const { status, html } = await session.get(path);
  expect([path, status]).toEqual([path, 200]);
  return new RegExp(`<section class="panel" id="${name}"[^]*?</section>`).exec(html)?.[0];
}

describe('the sites of the same region', () => {
  const neighboursOf = (site: Body, session = admin) => panelAt(`/dcim/sites/${site.id}/`, 'neighbours', session);

  /** Creates sites in a new region, in this order. */
  async function region(...names: string[]): Promise<Body[]> {
    const { id } = await equipment.make('dcim/regions', equipment.named('region'));
    const sites: Body[] = [];
    for (const name of names) sites.push(await equipment.site({ ...equipment.named(name), region: id }));
    return sites;
  }

  test('are the others, in the order of the list of sites, and lead to their pages', async () => {
    const [zeta, alpha, own] = await region('zeta', 'alpha', 'own');
    await region('elsewhere');
    const panel = await neighboursOf(own);
    expect(panel).toContain('<h2>Sites of the same region</h2>');
    expect([...panel!.matchAll(/<a href="([^"]*)">([^<]*)<\/a>/g)].map(([, href, text]) => [href, text])).toEqual([
      [`/dcim/sites/${alpha.id}/`, alpha.name],
      [`/dcim/sites/${zeta.id}/`, zeta.name],
    ]);
  });

  test('are not there for a site without a region, nor for the only one of its region', async () => {
    const [alone] = await region('alone');
    expect(await neighboursOf(alone)).toBeUndefined();
    expect(await neighboursOf(await equipment.site())).toBeUndefined();
  });

  test('are those that the user may see', async () => {
    const [own, seen, hidden] = await region('own', 'seen', 'hidden');
    const both = await userAt({ types: ['dcim.site'], actions: ['view'], constraints: { id__in: [own.id, seen.id] } });
    const panel = await neighboursOf(own, both);
    expect(panel).toContain(seen.name);
    expect(panel).not.toContain(hidden.name);
    const single = await userAt({ types: ['dcim.site'], actions: ['view'], constraints: { id: own.id } });
    expect(await neighboursOf(own, single)).toBeUndefined();
  });
});

test('a panel that asks for what the user may not see is left out, and the page is there', async () => {
  const chassis = await equipment.make('dcim/virtual-chassis', { name: unique('chassis') });
  const path = `/dcim/virtual-chassis/${chassis.id}/`;
  expect(await panelAt(path, 'members', admin)).toContain('No device is a member yet.');
  const user = await userAt({ types: ['dcim.virtualchassis'], actions: ['view'] });
  expect(await panelAt(path, 'members', user)).toBeUndefined();
});
