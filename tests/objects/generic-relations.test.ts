import { expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { useSystem } from '../support/system.ts';
import { unique } from '../support/unique.ts';

const used = useSystem();

/** A contact, and a site to which it can be assigned: they belong to different services. */
async function prepared() {
  const [contact, role, site] = [unique('contact'), unique('role'), unique('site')];
  return {
    contact: (await used.admin.make('/api/tenancy/contacts/', { name: contact })).id as number,
    role: (await used.admin.make('/api/tenancy/contact-roles/', { name: role, slug: role })).id as number,
    site: (await used.admin.make('/api/dcim/sites/', { name: site, slug: site })).id as number,
    name: site,
  };
}

test('what points at an object of another service shows it at once', async () => {
  const { contact, role, site, name } = await prepared();
  const assigned = await used.admin.make('/api/tenancy/contact-assignments/', {
    object_type: 'dcim.site',
    object_id: site,
    contact,
    role,
  });
  expect(assigned['object']).toMatchObject({
    id: site,
    name,
    url: expect.stringMatching(/^http.*\/api\/dcim\/sites\/\d+\/$/),
  });
});

test('what it points at must be there', async () => {
  const { contact, role } = await prepared();
  const { status, body } = await used.admin.post('/api/tenancy/contact-assignments/', {
    object_type: 'dcim.site',
    object_id: 999_999,
    contact,
    role,
  });
  expect([status, body]).toEqual([400, { object_id: ['Related object not found using the provided value: 999999.'] }]);
});

test('it goes with the object, recorded under the request that deleted that', async () => {
  const { contact, role, site } = await prepared();
  const { id } = await used.admin.make('/api/tenancy/contact-assignments/', {
    object_type: 'dcim.site',
    object_id: site,
    contact,
    role,
  });
  const deleted = await used.admin.delete(`/api/dcim/sites/${site}/`);
  expect(deleted.status).toBe(204);
  const records = await eventually(async () => {
    expect((await used.admin.get(`/api/tenancy/contact-assignments/${id}/`)).status).toBe(404);
    const { results } = await used.admin.read(
      `/api/extras/object-changes/?changed_object_id=${id}&changed_object_type=tenancy.contactassignment&action=delete`,
    );
    expect(results).toHaveLength(1);
    return results as { request_id: string }[];
  });
  const of = await used.admin.read(
    `/api/extras/object-changes/?changed_object_id=${site}&changed_object_type=dcim.site&action=delete`,
  );
  expect((of.results as { request_id: string }[])[0]!.request_id).toBe(records[0]!.request_id);
});
