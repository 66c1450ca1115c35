import { expect, test } from '@jest/globals';
import { loadWebhookSettings } from './settings.ts';

test('defaults, lists and errors that name the variable', () => {
  expect(loadWebhookSettings({ WEBHOOK_RETRIES: '' })).toMatchObject({
    webhookRetries: 0,
    templateTimeoutMs: 250,
    webhookAllowPrivateAddresses: true,
    webhookDeny: [],
  });
  expect(loadWebhookSettings({ WEBHOOK_DENY: '10.0.0.0/8, fe80::/10 ,*.Example.org' }).webhookDeny).toEqual([
    '10.0.0.0/8',
    'fe80::/10',
    '*.example.org',
  ]);
  expect(() =>
    loadWebhookSettings({ WEBHOOK_ALLOW: 'http://x/', TEMPLATE_TIMEOUT_MS: 'soon', WEBHOOK_LEASE_MS: '5' }),
  ).toThrow(/WEBHOOK_LEASE_MS must be.*\n.*WEBHOOK_ALLOW must be.*\n.*TEMPLATE_TIMEOUT_MS must be/);
});
