import { describe, expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';

const used = useSystem();
const [groups, roles, contacts, assignments, sites] = [
  '/api/tenancy/contact-groups/',
  '/api/tenancy/contact-roles/',
  '/api/tenancy/contacts/',
  '/api/tenancy/contact-assignments/',
  '/api/dcim/sites/',
];

const named = (path: string, more: Record<string, unknown> = {}) => {
  const slug = unique('c');
  return used.admin.make(path, { name: slug, slug, ...more });
};
const person = (more: Record<string, unknown> = {}) => used.admin.make(contacts, { name: unique('Bob'), ...more });

describe('contact groups', () => {
  test('lie in groups, and count a contact once however many groups below it is in', async () => {
    const top = await named(groups);
    const [one, other] = [await named(groups, { parent: top.id }), await named(groups, { parent: top.id })];
    expect(one).toMatchObject({ parent: { id: top.id, _depth: 0 }, _depth: 1, contact_count: 0 });
    const bob = await person({ groups: [one.id, other.id] });
    expect(bob.groups.map((g: { id: number }) => g.id)).toEqual([one.id, other.id]);
    expect(await used.admin.column(`${groups}?id=${top.id}&id=${one.id}`, 'contact_count')).toEqual([1, 1]);
    expect((await used.admin.column(`${groups}?contact_id=${bob.id}`, 'id')).sort()).toEqual([one.id, other.id].sort());
    expect(await used.admin.column(`${contacts}?group=${top.slug}`, 'id')).toEqual([bob.id]);
    expect(
      await used.admin.column(`${groups}?ordering=-contact_count&id=${top.id}&id=${(await named(groups)).id}`, 'id'),
    ).toHaveLength(2);
  });

  test('have names that differ within one group', async () => {
    const top = await named(groups);
    const one = await named(groups, { parent: top.id });
    const { status, body } = await used.admin.post(groups, { name: one.name, slug: unique(), parent: top.id });
    expect([status, body]).toEqual([400, { __all__: ['Contact group with this Parent and Name already exists.'] }]);
  });
});

test('a contact is shown with its fields in order', async () => {
  const bob = await person({ email: 'bob@example.com', phone: '+1 555', link: 'https://example.com' });
  expect(Object.keys(bob)).toEqual([
    'id',
    'url',
    'display_url',
    'display',
    'groups',
    'name',
    'title',
    'phone',
    'email',
    'address',
    'link',
    'description',
    'owner',
    'comments',
    'tags',
    'custom_fields',
    'created',
    'last_updated',
  ]);
  expect(Object.keys((await used.admin.read(`${contacts}?brief=true&id=${bob.id}`)).results[0])).toEqual([
    'id',
    'url',
    'display',
    'name',
    'description',
  ]);
  expect(await used.admin.column(`${contacts}?q=bob@example.com&name=${bob.name}`, 'id')).toEqual([bob.id]);
});

describe('assignments', () => {
  test('say whom to turn to about an object', async () => {
    const [site, bob, role] = [await named(sites), await person(), await named(roles)];
    const made = await used.admin.make(assignments, {
      object_type: 'dcim.site',
      object_id: site.id,
      contact: bob.id,
      role: role.id,
      priority: 'primary',
    });
    expect(Object.keys(made)).toEqual([
      'id',
      'url',
      'display',
      'object_type',
      'object_id',
      'object',
      'contact',
      'role',
      'priority',
      'tags',
      'custom_fields',
      'created',
      'last_updated',
    ]);
    expect(made).toMatchObject({
      display: `${bob.name} (Primary) -> ${site.name}`,
      object: { id: site.id, slug: site.slug },
      contact: { id: bob.id },
      role: { id: role.id },
      priority: { value: 'primary', label: 'Primary' },
    });
    expect(await used.admin.column(`${assignments}?q=${bob.name}`, 'id')).toEqual([made.id]);
    expect(
      await used.admin.column(`${assignments}?role=${role.slug}&object_type=dcim.site&object_id=${site.id}`, 'id'),
    ).toEqual([made.id]);
    const plain = await used.admin.make(assignments, {
      object_type: 'dcim.site',
      object_id: site.id,
      contact: (await person({ name: 'Al' })).id,
      role: role.id,
    });
    expect(plain).toMatchObject({ display: `Al -> ${site.name}`, priority: null });
  });

  test('are made once, for objects that have contacts, with a role', async () => {
    const [site, bob, role] = [await named(sites), await person(), await named(roles)];
    const body = { object_type: 'dcim.site', object_id: site.id, contact: bob.id, role: role.id };
    await used.admin.make(assignments, body);
    const refused = async (change: object) => {
      const { status, body: errors } = await used.admin.post(assignments, { ...body, ...change });
      return [status, errors];
    };
    expect(await refused({})).toEqual([
      400,
      { __all__: ['Contact assignment with this Object type, Object id, Contact and Role already exists.'] },
    ]);
    expect(await refused({ role: null })).toEqual([400, { role: ['This field cannot be null.'] }]);
    expect(await refused({ object_type: 'tenancy.contact', object_id: bob.id })).toEqual([
      400,
      { __all__: ['Contacts cannot be assigned to this object type (tenancy.contact).'] },
    ]);
    expect(await refused({ priority: 'first', role: null })).toEqual([
      400,
      { priority: ['first is not a valid choice.'] },
    ]);
    expect((await refused({ object_type: 'dcim.bogus' }))[1]).toHaveProperty('object_type');
  });

  test('find objects in other services by contact, role and group with all below', async () => {
    const top = await named(groups);
    const below = await named(groups, { parent: top.id });
    const [site, bob, role] = [await named(sites), await person({ groups: [below.id] }), await named(roles)];
    await used.admin.make(assignments, {
      object_type: 'dcim.site',
      object_id: site.id,
      contact: bob.id,
      role: role.id,
    });
    for (const filter of [`contact=${bob.id}`, `contact_role=${role.id}`, `contact_group=${top.id}`]) {
      await eventually(async () => {
        expect(await used.admin.column(`${sites}?${filter}`, 'id')).toEqual([site.id]);
      });
    }
    expect(await used.admin.column(`${assignments}?group=${top.slug}`, 'object_id')).toEqual([site.id]);
    expect(await used.admin.column(`${sites}?id=${site.id}&contact__n=${bob.id}`, 'id')).toEqual([]);
  });

  test('protect their contact and role, and go with their object', async () => {
    const [site, bob, role] = [await named(sites), await person(), await named(roles)];
    const { id } = await used.admin.make(assignments, {
      object_type: 'dcim.site',
      object_id: site.id,
      contact: bob.id,
      role: role.id,
    });
    expect((await used.admin.delete(`${contacts}${bob.id}/`)).status).toBe(409);
    expect((await used.admin.delete(`${roles}${role.id}/`)).status).toBe(409);
    expect((await used.admin.delete(`${sites}${site.id}/`)).status).toBe(204);
    await eventually(async () => {
      expect((await used.admin.get(`${assignments}${id}/`)).status).toBe(404);
    });
    expect((await used.admin.delete(`${contacts}${bob.id}/`)).status).toBe(204);
  });
});
