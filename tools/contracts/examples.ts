import type { Json } from '@cadastre/model';
import { noticeEvent } from '../../services/webhooks/models/notice.ts';

/** By service, an object that refers to no other: the event about it is recorded as an example. */
export const EXAMPLES: Readonly<Record<string, { readonly type: string; readonly body: Json }>> = {
  auth: { type: 'users.group', body: { name: 'Operators' } },
  circuits: { type: 'circuits.circuittype', body: { name: 'Transit', slug: 'transit' } },
  dcim: { type: 'dcim.manufacturer', body: { name: 'Juniper', slug: 'juniper' } },
  extras: { type: 'extras.tag', body: { name: 'Core', slug: 'core' } },
  ipam: { type: 'ipam.rir', body: { name: 'RIPE', slug: 'ripe' } },
  tenancy: { type: 'tenancy.tenant', body: { name: 'Acme', slug: 'acme' } },
  virtualization: { type: 'virtualization.clustertype', body: { name: 'KVM', slug: 'kvm' } },
  webhooks: { type: 'extras.webhook', body: { name: 'Build', payload_url: 'https://example.com/hook' } },
};

const NOBODY = '00000000-0000-7000-8000-000000000000';
const THEN = '2026-01-01T00:00:00.000000Z';

/** The text of an event without values that differ each time: the ids of the event and its request, and times. */
export const withoutChance = (text: string): string =>
  text
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, NOBODY)
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/g, THEN)
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?\+00/g, '2026-01-01 00:00:00+00');

/** Users are notified of no single object; the event comes from webhooks. */
export const exampleNotice = noticeEvent(
  NOBODY,
  { time: THEN, request: null },
  { group: 1, objectType: 'dcim.site', objectId: 1, display: 'Berlin', eventType: 'object_updated' },
);
