import { readFileSync } from 'node:fs';
import { settings } from '@cadastre/service/settings';
import { describe, expect, test } from '@jest/globals';
import { oidcSettings } from '../../services/auth/login/external/oidc/settings.ts';
import { ldapSettings } from '../../services/auth/login/external/ldap/directory/settings.ts';
import { importSettings } from '../../services/web/features/import/reading/settings.ts';
import { loadWebhookSettings } from '../../services/webhooks/settings.ts';

/** Rows of the tables of docs/configuration.md: variable and default. */
const documented = new Map(
  [
    ...readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8').matchAll(
      /^\| `([A-Z0-9_]+)` \| ((?:[^|\\]|\\.)+) \|/gm,
    ),
  ].map((row) => [row[1], row[2]!.replaceAll('\\|', '|').trim()]),
);

const variable = (property: string) => property.replace(/[A-Z]/g, '_$&').toUpperCase();
const common = Object.entries({ ...settings, ...oidcSettings, ...ldapSettings, ...importSettings }).map(
  ([name, schema]): [string, unknown] => [name, schema.safeParse(undefined).data],
);
const webhooks = Object.entries(loadWebhookSettings({})).map(([name, value]): [string, unknown] => [
  variable(name),
  value,
]);
const defaults = new Map([...common, ...webhooks]);

describe('docs/configuration.md', () => {
  test('describes every variable, and no other', () => {
    expect([...documented.keys()].sort()).toEqual([...defaults.keys()].sort());
  });

  test.each(
    [...defaults].filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value) && value !== ''),
  )('names the default of %s', (name, value) => {
    expect(documented.get(name)).toContain(`\`${String(value)}\``);
  });
});
