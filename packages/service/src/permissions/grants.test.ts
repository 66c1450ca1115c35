import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { loadCatalogue } from '@cadastre/model';
import { exemptTypes } from './grants.ts';

const catalogue = await loadCatalogue(fileURLToPath(new URL('../../../../services', import.meta.url)));
const opened = (...names: string[]) => new Set(exemptTypes(names, catalogue.models.values()));

// Written out, so that no type leaves this list unnoticed.
const aboutPeople = [
  'core.objectchange',
  'extras.bookmark',
  'extras.eventrule',
  'extras.notification',
  'extras.notificationgroup',
  'extras.subscription',
  'users.group',
  'users.owner',
  'users.user',
];
const secret = [
  'core.securityevent',
  'extras.webhook',
  'extras.webhookdelivery',
  'extras.webhookreplay',
  'users.objectpermission',
  'users.token',
];

test('`*` opens all but what holds secrets or is about people', () => {
  const open = opened('*');
  expect([...catalogue.models.keys()].filter((type) => !open.has(type)).sort()).toEqual(
    [...aboutPeople, ...secret].sort(),
  );
  expect([...opened('users.*')].filter((type) => type.startsWith('users.'))).toEqual(['users.ownergroup']);
});

test('what is about people is opened by its name; what holds secrets is not', () => {
  expect([...opened(...aboutPeople)].sort()).toEqual(aboutPeople);
  expect([...opened(...secret)]).toEqual([]);
});

test('all of an app', () => {
  const open = opened('dcim.*');
  expect([open.has('dcim.site'), open.has('ipam.prefix'), open.has('extras.tag')]).toEqual([true, false, false]);
});
