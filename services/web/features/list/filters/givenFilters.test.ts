import { expect, test } from '@jest/globals';
import { givenFilters } from './givenFilters.ts';

test.each([
  ['what is empty says nothing', '_filter=1&site_id=&name=&q=&_lookup.name=ic', ''],
  [
    'lookups belong to their filters',
    'name=ber&_lookup.name=ic&site_id=1&site_id=2&_lookup.site_id=n',
    'name__ic=ber&site_id__n=1&site_id__n=2',
  ],
  [
    'some lookups need no value',
    '_lookup.name=empty:true&_lookup.tenant_id=:null&tenant_id=',
    'name__empty=true&tenant_id=null',
  ],
  ['and take no other', '_lookup.tenant_id=n:null&tenant_id=4', 'tenant_id__n=null'],
  [
    'times are meant in the zone that the form names',
    '_zone=Europe/Berlin&_at.created=2026-11-01T00:30&_lookup.created=gte&_at.last_updated=',
    'created__gte=2026-10-31T23:30:00Z',
  ],
  ['what somebody looks for is no filter', 'find.site_id=x&_find=site_id&status=active', 'status=active'],
])('%s', (_, given, clean) => {
  expect(givenFilters(new URLSearchParams(given)).toString().replaceAll('%3A', ':')).toBe(clean);
});
