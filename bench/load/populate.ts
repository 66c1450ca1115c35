import type { Client } from './client.ts';
import { upTo } from '../../tools/command/api.ts';

/** How much the benchmark puts into a fresh system. */
export const SIZE = { sites: 200, tenants: 20, tags: 4, regions: 10 };

/** Fills a fresh system through its API. Returns the id of one site. */
export async function populate({ send }: Client): Promise<number> {
  await send(
    'POST',
    '/api/extras/tags/',
    upTo(SIZE.tags).map((i) => ({ name: `tag ${i}`, slug: `tag-${i}` })),
  );
  await send(
    'POST',
    '/api/tenancy/tenants/',
    upTo(SIZE.tenants).map((i) => ({ name: `tenant ${i}`, slug: `tenant-${i}` })),
  );
  await send(
    'POST',
    '/api/dcim/regions/',
    upTo(SIZE.regions).map((i) => ({ name: `region ${i}`, slug: `region-${i}` })),
  );
  const sites = (await send(
    'POST',
    '/api/dcim/sites/',
    upTo(SIZE.sites).map((i) => ({
      name: `site ${i}`,
      slug: `site-${i}`,
      status: 'active',
      tenant: { slug: `tenant-${1 + (i % SIZE.tenants)}` },
      region: { slug: `region-${1 + (i % SIZE.regions)}` },
      facility: `F${i}`,
      description: 'a site of the benchmark',
      latitude: 52.5,
      longitude: 13.4,
      tags: [{ slug: `tag-${1 + (i % SIZE.tags)}` }, { slug: 'tag-1' }],
    })),
  )) as { id: number }[];
  return sites[0]!.id;
}
