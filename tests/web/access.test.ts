// Pages show what the API returns to the user, and no more: here to a user who may see one tenant's objects.
import { resolve } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { loadCatalogue, webPath } from '@cadastre/model';
import type { Body, Client } from '../support/client.ts';
import { useSystem } from '../support/system.ts';
import { nextNetwork, unique } from '../support/unique.ts';
import { userWith } from '../support/users.ts';
import { logIn, type Session } from '../support/pages/visitor.ts';

const used = useSystem();
const catalogue = await loadCatalogue(resolve(import.meta.dirname, '..', '..', 'services'));
const homes = [...catalogue.models.values()].flatMap((model) => webPath(model) ?? []);
/** Stands in the name of every object that the user may not see. */
const hidden = unique('hidden');
const own = unique('own');

interface World {
  tenant: Body;
  site: Body;
  prefix: Body;
}
let theirs: World;
let ours: World;
let user: Session;
let client: Client;

async function world(name: string): Promise<World> {
  const named = { name, slug: name };
  const tenant = await used.admin.make('/api/tenancy/tenants/', named);
  const site = await used.admin.make('/api/dcim/sites/', { ...named, tenant: tenant.id });
  const prefix = await used.admin.make('/api/ipam/prefixes/', {
    prefix: `${nextNetwork().four}.0/24`,
    tenant: tenant.id,
    description: name,
    scope_type: 'dcim.site',
    scope_id: site.id,
  });
  await used.admin.make('/api/extras/journal-entries/', {
    assigned_object_type: 'dcim.site',
    assigned_object_id: site.id,
    // Users who may view entries can read their text, of whatever object; the object's name is not shown to them.
    comments: 'A note',
  });
  return { tenant, site, prefix };
}

beforeAll(async () => {
  [theirs, ours] = [await world(hidden), await world(own)];
  const actions = ['view', 'add', 'change', 'delete'];
  const made = await userWith(
    used.admin,
    { types: ['tenancy.tenant'], actions, constraints: { id: ours.tenant.id } },
    { types: ['dcim.site', 'ipam.prefix'], actions, constraints: { tenant: ours.tenant.id } },
    { types: ['extras.journalentry', 'core.objectchange'], actions: ['view', 'add'] },
  );
  client = made.client;
  user = await logIn(used.system.base, made.name, 'Correct-Horse-9');
});

/** Gets a page; expects no trace of objects that the user may not see. */
const withoutHidden = async (path: string): Promise<{ status: number; html: string }> => {
  const { status, html } = await user.get(path);
  expect([path, html]).toEqual([path, expect.not.stringContaining(hidden)]);
  return { status, html };
};

test('what may be seen is there', async () => {
  expect((await user.get('/dcim/sites/')).html).toContain(own);
  expect((await user.get(`/dcim/sites/${ours.site.id}/`)).html).toContain(own);
  expect((await user.get('/tenancy/tenants/options/?q=')).html).toContain(own);
});

test('no list of any type, nor the home page, shows more', async () => {
  for (const home of ['/', ...homes]) expect([200, 303, 403]).toContain((await withoutHidden(home)).status);
});

test.each(['', 'edit/', 'delete/', 'changelog/', 'journal/'])(
  'nothing is at %s of an object of others',
  async (rest) => {
    for (const [home, { id }] of [
      ['/dcim/sites/', theirs.site],
      ['/ipam/prefixes/', theirs.prefix],
      ['/tenancy/tenants/', theirs.tenant],
    ] as const)
      expect((await withoutHidden(`${home}${id}/${rest}`)).status).toBe(404);
  },
);

test('filters, searches and pickers find no more than the API does', async () => {
  // In capitals, to distinguish the search term from the names that are found.
  const asked = hidden.toUpperCase();
  for (const query of [`q=${asked}`, `tenant_id=${theirs.tenant.id}`, `name__ie=${asked}`, `id=${theirs.site.id}`]) {
    await withoutHidden(`/dcim/sites/?${query}`);
    await withoutHidden(`/dcim/sites/options/?${query}`);
  }
  await withoutHidden(`/search/?q=${asked}`);
  for (const field of ['site', 'tenant', 'region']) await withoutHidden(`/dcim/racks/add/?${field}=${theirs.site.id}`);
  await withoutHidden(`/dcim/sites/add/?tenant=${theirs.tenant.id}`);
});

test('counts are those of the API', async () => {
  const { count } = await client.read('/api/dcim/sites/');
  expect((await user.get('/dcim/sites/')).html).toMatch(new RegExp(`1–${count} of ${count}\\b`));
  const { prefix_count: prefixes } = await client.read(`/api/tenancy/tenants/${ours.tenant.id}/`);
  expect(prefixes).toBe(1);
});

describe('writing', () => {
  test('by a form is possible for who may see and change objects, and nothing else', async () => {
    for (const path of [`/dcim/sites/${ours.site.id}/edit/`, '/dcim/sites/add/', '/dcim/sites/import/'])
      expect([path, (await user.get(path)).status]).toEqual([path, 200]);
    // Of a type that the user may not see at all, the page says no more than that a value is set.
    expect((await withoutHidden(`/dcim/sites/add/?region=1&group=2`)).status).toBe(200);
  });

  test('by a form does nothing to what is not there for him', async () => {
    const csrfToken = await user.csrfToken(`/dcim/sites/${ours.site.id}/edit/`);
    for (const rest of ['edit/', 'delete/'])
      expect(
        (await user.post(`/dcim/sites/${theirs.site.id}/${rest}`, { csrf_token: csrfToken, name: 'x' })).status,
      ).toBe(404);
    expect(await used.admin.read(`/api/dcim/sites/${theirs.site.id}/`)).toMatchObject({ name: hidden });
  });

  test('refers to nothing that he may not see', async () => {
    const csrfToken = await user.csrfToken('/dcim/sites/add/');
    const name = unique('taken');
    const answer = await user.post('/dcim/sites/add/', {
      csrf_token: csrfToken,
      name,
      slug: name,
      tenant: String(theirs.tenant.id),
    });
    expect([answer.status >= 400, answer.html.includes(hidden)]).toEqual([true, false]);
    expect((await used.admin.read(`/api/dcim/sites/?name=${name}`)).count).toBe(0);
  });

  test('without a permission is refused, with a page that says so', async () => {
    const csrfToken = await user.csrfToken('/dcim/sites/add/');
    const { status, html } = await user.post('/ipam/vrfs/add/', { csrf_token: csrfToken, name: unique('vrf') });
    expect([status, html]).toEqual([403, expect.stringContaining('<h1')]);
  });
});
