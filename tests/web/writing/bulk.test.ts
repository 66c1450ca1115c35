import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Body } from '../../support/client.ts';
import { adminPassword, useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';
import { userWith } from '../../support/users.ts';
import { logIn, type Session } from '../../support/pages/visitor.ts';

const used = useSystem();
const sites = '/dcim/sites/';
let admin: Session;
let csrfToken: string;
beforeAll(async () => {
  admin = await logIn(used.system.base, 'admin', adminPassword);
  csrfToken = await admin.csrfToken(`${sites}add/`);
});

const text = (html: string): string => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

/** Submits a form with fields that may be repeated. */
async function send(session: Session, path: string, fields: [string, string][]) {
  const response = await fetch(used.system.base + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: session.cookie },
    body: new URLSearchParams([
      ['csrf_token', session === admin ? csrfToken : await session.csrfToken(sites)],
      ...fields,
    ]),
  });
  return { status: response.status, location: response.headers.get('location'), html: await response.text() };
}
const pk = (objects: readonly Body[]): [string, string][] => objects.map(({ id }) => ['pk', String(id)]);

async function make(count: number, more: Record<string, unknown> = {}): Promise<Body[]> {
  const prefix = unique('s');
  const names = Array.from({ length: count }, (_, i) => `${prefix}-${i}`);
  const { body } = await used.admin.post(
    '/api/dcim/sites/',
    names.map((name) => ({ name, slug: name, ...more })),
  );
  return body;
}
const now = async (objects: readonly Body[]): Promise<Body[]> =>
  Promise.all(objects.map(({ id }) => used.admin.read(`/api/dcim/sites/${id}/`)));

describe('editing', () => {
  test('several objects gives all the same, and leaves what is empty', async () => {
    const tag = await used.admin.make('/api/extras/tags/', { name: unique('tag'), slug: unique('tag') });
    const made = await make(3, { description: 'before', facility: 'F1' });
    const shown = await send(admin, `${sites}edit/`, pk(made));
    expect(shown.status).toBe(200);
    for (const { name } of made) expect(shown.html).toContain(name);
    const done = await send(admin, `${sites}edit/`, [
      ...pk(made),
      ['_apply', '1'],
      ['status', 'planned'],
      ['description', ''],
      ['_nullify', 'facility'],
      ['add_tags', String(tag.id)],
      ['changelog_message', 'all at once'],
    ]);
    expect([done.status, done.location]).toEqual([303, `${sites}?_done=edited.3`]);
    expect(text((await admin.get(done.location!)).html)).toContain('3 sites changed.');
    for (const site of await now(made))
      expect(site).toMatchObject({
        status: { value: 'planned' },
        description: 'before',
        facility: '',
        tags: [{ id: tag.id }],
      });
  });

  test('all that filters select reaches all pages, and nothing when they have become others', async () => {
    const region = unique('r');
    const { id } = await used.admin.make('/api/dcim/regions/', { name: region, slug: region });
    const made = await make(60, { region: id });
    const path = `${sites}edit/?region_id=${id}`;
    const shown = await send(admin, path, [['_all', '1']]);
    expect(shown.html).toContain('name="_count" value="60"');
    const fields: [string, string][] = [
      ['_all', '1'],
      ['_apply', '1'],
      ['facility', 'X'],
    ];
    const stale = await send(admin, path, [...fields, ['_count', '59']]);
    expect([stale.status, text(stale.html).includes('There were 59 when you chose, and now there are 60.')]).toEqual([
      200,
      true,
    ]);
    expect((await now(made.slice(0, 1)))[0].facility).toBe('');
    const done = await send(admin, path, [...fields, ['_count', '60']]);
    expect(done.location).toBe(`${sites}?region_id=${id}&_done=edited.60`);
    expect((await used.admin.read(`/api/dcim/sites/?region_id=${id}&facility=X&limit=1`)).count).toBe(60);
  });

  test('what is refused changes nothing, keeps what was typed, and is said by object or field', async () => {
    const made = await make(2);
    const other = await send(admin, `${sites}edit/`, [
      ...pk(made),
      ['_apply', '1'],
      ['latitude', '99'],
      ['description', 'typed <b>'],
    ]);
    expect(other.status).toBe(400);
    expect(other.html).toMatch(/id="latitude-problem"[^>]*>[^<]+/);
    expect(other.html).toContain('value="typed &lt;b&gt;"');
    expect(text(other.html)).toContain('Nothing has been changed.');
    expect((await now(made)).map(({ description }) => description)).toEqual(['', '']);
    const empty = await send(admin, `${sites}edit/`, [...pk(made), ['_apply', '1']]);
    expect([empty.status, text(empty.html).includes('Fill in at least one field')]).toEqual([400, true]);
  });

  test('is for those only who may', async () => {
    const [mine, others] = await make(2);
    const { name } = await userWith(
      used.admin,
      { actions: ['view'] },
      { actions: ['change'], constraints: { id: mine.id } },
    );
    const user = await logIn(used.system.base, name, 'Correct-Horse-9');
    const refused = await send(user, `${sites}edit/`, [...pk([mine, others]), ['_apply', '1'], ['facility', 'Z']]);
    expect(text(refused.html)).toContain(`No Site with id ${others.id} exists, or you may not touch it.`);
    expect((await now([mine]))[0].facility).toBe('');
    expect((await send(user, `${sites}edit/`, [...pk([mine]), ['_apply', '1'], ['facility', 'Z']])).status).toBe(303);
    expect((await now([mine]))[0].facility).toBe('Z');
  });
});

describe('renaming', () => {
  test('shows what would become of the names, then does it', async () => {
    const made = await make(2);
    const fields: [string, string][] = [
      ...pk(made),
      ['find', '^(.*)-(\\d)$'],
      ['replace', '$2-$1'],
      ['use_regex', 'on'],
    ];
    const preview = await send(admin, `${sites}rename/`, fields);
    expect(preview.status).toBe(200);
    const [first] = made;
    const after = first.name.replace(/^(.*)-(\d)$/, '$2-$1');
    expect(text(preview.html)).toContain(`${first.name} ${after}`);
    expect((await now([first]))[0].name).toBe(first.name);
    const done = await send(admin, `${sites}rename/`, [...fields, ['_apply', '1']]);
    expect(done.location).toBe(`${sites}?_done=renamed.2`);
    expect((await now([first]))[0]).toMatchObject({ name: after, slug: first.slug });
  });

  test('is refused by object, all or none; a wrong expression at its field', async () => {
    const made = await make(2);
    const taken = (await make(1))[0].name;
    const refused = await send(admin, `${sites}rename/`, [
      ...pk(made),
      ['find', made[0].name],
      ['replace', taken],
      ['_apply', '1'],
    ]);
    expect(refused.status).toBe(400);
    expect(text(refused.html)).toMatch(new RegExp(`${made[0].name} : Name: [^.]*already exists`));
    expect((await now(made)).map(({ name }) => name)).toEqual(made.map(({ name }) => name));
    const wrong = await send(admin, `${sites}rename/`, [
      ...pk(made),
      ['find', '('],
      ['use_regex', 'on'],
      ['_apply', '1'],
    ]);
    expect([wrong.status, wrong.html.includes('id="find-problem"')]).toEqual([200, true]);
  });
});

describe('deleting', () => {
  test('names them first, and is all or none', async () => {
    const made = await make(3);
    const shown = await send(admin, `${sites}delete/`, pk(made));
    for (const { name } of made) expect(shown.html).toContain(name);
    const rack = await used.admin.make('/api/dcim/racks/', { name: unique('rack'), site: made[1].id });
    const refused = await send(admin, `${sites}delete/`, [...pk(made), ['_apply', '1']]);
    expect(text(refused.html)).toContain(rack.name);
    expect(refused.status).toBe(409);
    expect(await now(made)).toHaveLength(3);
    await used.admin.delete(`/api/dcim/racks/${rack.id}/`);
    const done = await send(admin, `${sites}delete/`, [...pk(made), ['_apply', '1']]);
    expect(done.location).toBe(`${sites}?_done=deleted.3`);
    for (const { id } of made) expect((await used.admin.get(`/api/dcim/sites/${id}/`)).status).toBe(404);
  });

  test('needs the CSRF token of a form, and nothing selected leads back', async () => {
    const made = await make(1);
    const forged = await admin.post(`${sites}delete/`, { csrf_token: 'x', pk: String(made[0].id), _apply: '1' });
    expect(forged.status).toBe(403);
    expect((await admin.get(`${sites}delete/`)).location).toBe(sites);
    expect((await now(made))[0].name).toBe(made[0].name);
  });
});
