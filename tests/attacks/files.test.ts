import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ended, makeSite, makeWebhook, sample } from '../support/webhooks/hooks.ts';
import { type Receiver, startReceiver } from '../support/webhooks/receiver.ts';
import { processesOf, useSystem } from '../support/system.ts';

const used = useSystem();
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

test('the CA file of a webhook says nothing of the files of the server', async () => {
  const site = await makeSite(used.admin);
  const { folder } = used.system;
  const outcomes = await Promise.all(
    [
      '/etc/passwd',
      '/etc/shadow',
      '/no/such/file',
      '/dev/zero',
      '/proc/self/environ',
      '/etc',
      folder,
      join(folder, 'run.json'),
      '../../etc/passwd',
      '/etc/ssl/certs/ca-certificates.crt',
      'x',
    ].map(async (path) => {
      const webhook = await makeWebhook(used.admin, receiver, { ca_file_path: path });
      expect(webhook.ca_file_path).toBe(path);
      const { body } = await sample(used.admin, webhook, site);
      const one = await ended(used.admin, body.id, 'failed');
      return { path, kind: one.error_kind, error: one.error, attempts: one.attempt_log.length };
    }),
  );
  const [{ kind, error }] = outcomes as [(typeof outcomes)[number]];
  expect([kind, error]).toEqual(['tls', expect.stringContaining('WEBHOOK_CA_DIR')]);
  for (const outcome of outcomes) expect(outcome).toEqual({ path: outcome.path, kind, error, attempts: 1 });
});

test('the keys of an installation are for its owner, and each process has only its own', () => {
  const processes = processesOf(used.system);
  expect(Object.keys(processes)).toContain('webhooks');
  expect(statSync(join(used.system.folder, 'secrets.json')).mode & 0o077).toBe(0);
  for (const [name, pid] of Object.entries(processes)) {
    const environment = environmentOf(pid);
    if (environment === undefined) continue;
    expect([name, /(^|\0)SECRETS_KEYS=/.test(environment)]).toEqual([name, pid === processes['webhooks']]);
    expect([name, /(^|\0)FACTOR_KEYS=/.test(environment)]).toEqual([name, pid === processes['auth']]);
  }
});

function environmentOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return undefined;
  }
}
