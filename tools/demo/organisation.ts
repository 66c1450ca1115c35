import { eachSite, SITES } from './plan.ts';
import { idsOf, later, named, type Step, step } from './step.ts';

const CONTACTS = ['Network operations', 'Facilities desk', 'Security on call'];

/** Regions, sites, tenants, contacts, tags. */
export const organisation: Step[] = [
  step('tags', '/api/extras/tags/', [
    { name: 'Production', slug: 'production', color: '2e7d32' },
    { name: 'Lab', slug: 'lab', color: 'f9a825' },
  ]),
  step('regions', '/api/dcim/regions/', named(['Europe'])),
  step(
    'regions',
    '/api/dcim/regions/',
    named(
      SITES.map((s) => s.country),
      { parent: { slug: 'europe' } },
    ),
  ),
  step('site groups', '/api/dcim/site-groups/', named(['Data centers'])),
  step('tenant groups', '/api/tenancy/tenant-groups/', named(['Internal'])),
  step('tenants', '/api/tenancy/tenants/', named(['Infrastructure', 'Web shop'], { group: { slug: 'internal' } })),
  step(
    'sites',
    '/api/dcim/sites/',
    SITES.map(({ name, slug, country, city, zone, latitude, longitude }) => ({
      name,
      slug,
      status: 'active',
      region: { slug: country.toLowerCase() },
      group: { slug: 'data-centers' },
      tenant: { slug: 'infrastructure' },
      time_zone: zone,
      facility: slug.toUpperCase(),
      physical_address: `Harbour Road 1, ${city}`,
      latitude,
      longitude,
      tags: [{ slug: 'production' }],
    })),
  ),
  step(
    'locations',
    '/api/dcim/locations/',
    eachSite(({ slug }) => named(['Hall 1'], { site: { slug } })),
  ),
  step('contact groups', '/api/tenancy/contact-groups/', named(['Operations'])),
  step('contact roles', '/api/tenancy/contact-roles/', named(['Technical', 'Access'])),
  step(
    'contacts',
    '/api/tenancy/contacts/',
    CONTACTS.map((name, i) => ({
      name,
      phone: `+41 44 555 01 0${i}`,
      email: `${name.toLowerCase().replaceAll(' ', '.')}@example.net`,
      groups: [{ slug: 'operations' }],
    })),
  ),
  later('contact assignments', '/api/tenancy/contact-assignments/', SITES.length * 2, async (api) => {
    const site = await idsOf(api, '/api/dcim/sites/', (s) => String(s['slug']));
    return eachSite(({ slug }) =>
      [
        ['Network operations', 'technical'],
        ['Facilities desk', 'access'],
      ].map(([contact, role]) => ({
        object_type: 'dcim.site',
        object_id: site(slug),
        contact: { name: contact },
        role: { slug: role },
        priority: 'primary',
      })),
    );
  }),
];
