import { expect, test } from '@jest/globals';
import { useSystem } from '../support/system.ts';
import { unique } from '../support/unique.ts';
import { userWith } from '../support/users.ts';

const used = useSystem();

test('an object is named by its id alone, also in a dictionary, by those who may not see it', async () => {
  const slug = unique('seen');
  const region = await used.admin.make('/api/dcim/regions/', { name: slug, slug });
  const tag = await used.admin.make('/api/extras/tags/', { name: slug, slug });
  const tenant = await used.admin.make('/api/tenancy/tenants/', { name: slug, slug });
  const { client } = await userWith(used.admin, { actions: ['view', 'add', 'change'] });
  const site = (more: object) => {
    const name = unique('site');
    return client.post('/api/dcim/sites/', { name, slug: name, ...more });
  };
  const { status, body } = await site({
    region: { id: region.id },
    tenant: { id: String(tenant.id) },
    tags: [{ id: tag.id }],
  });
  expect([status, body.region?.id, body.tenant?.id, body.tags?.map(({ id }: { id: number }) => id)]).toEqual([
    201,
    region.id,
    tenant.id,
    [tag.id],
  ]);
  expect((await client.patch(`/api/dcim/sites/${body.id}/`, { tags: [], region: null })).status).toBe(200);
  expect((await client.patch(`/api/dcim/sites/${body.id}/`, { add_tags: [{ id: tag.id }] })).body.tags).toHaveLength(1);
  const found = (attributes: string) => [`Related object not found using the provided attributes: ${attributes}`];
  expect((await site({ region: { slug } })).body).toEqual({ region: found(`{'slug': '${slug}'}`) });
  expect((await site({ region: { id: region.id, slug } })).body).toEqual({
    region: found(`{'id': ${region.id}, 'slug': '${slug}'}`),
  });
  expect((await site({ region: { id: 999999999 }, tenant: { id: 999999999 } })).body).toEqual({
    region: found("{'id': 999999999}"),
    tenant: found("{'id': 999999999}"),
  });
});
