import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { Jobs, TemplateJobs } from '../jobs/jobs.ts';
import { createPool } from './pool.ts';

interface Escaped extends TemplateJobs, Jobs {
  attempt: { job: { kind: 'attempt'; what: string; about: string }; result: string };
}
const pool = createPool<Escaped>({
  size: 1,
  timeoutMs: 1_000,
  memoryMb: 64,
  program: new URL('./fixtures/escaped.ts', import.meta.url),
});
afterAll(() => pool.close());

const attempt = (what: string, about = '') => pool.run({ kind: 'attempt', what, about });
const root = fileURLToPath(new URL('../../../..', import.meta.url));

describe('who got out of a template finds nothing in its process', () => {
  test('it reads its own code', async () => {
    expect(await attempt('read', join(root, 'packages/templates/src/worker/worker.ts'))).toContain('serve()');
  });

  test.each([
    '/etc/passwd',
    '/proc/self/environ',
    '/proc/1/environ',
    ...[
      'package.json',
      'docker-compose.yml',
      'services/webhooks/main.ts',
      'packages/service/src/settings/settings.ts',
      'packages/templates/../../README.md',
      'data/secrets.json',
      'node_modules/pg/package.json',
    ].map((file) => join(root, file)),
  ])('it cannot read %s', async (file) => {
    await expect(attempt('read', file)).rejects.toThrow('restricted');
  });

  test('it cannot read what an installation keeps', async () => {
    const data = mkdtempSync(join(tmpdir(), 'cadastre-data-'));
    try {
      writeFileSync(join(data, 'secrets.json'), '{"SERVICE_SECRET":"x"}');
      await expect(attempt('read', join(data, 'secrets.json'))).rejects.toThrow('restricted');
      await expect(attempt('list', data)).rejects.toThrow('restricted');
    } finally {
      rmSync(data, { recursive: true });
    }
  });

  test('it cannot look around, write, or start anything', async () => {
    await expect(attempt('list', root)).rejects.toThrow('restricted');
    await expect(attempt('list', '/')).rejects.toThrow('restricted');
    await expect(attempt('write', join(root, 'packages/templates/src/x'))).rejects.toThrow('restricted');
    await expect(attempt('run', process.execPath)).rejects.toThrow('restricted');
    await expect(attempt('thread', '0')).rejects.toThrow('restricted');
  });

  test('its environment is empty', async () => {
    expect(
      Object.keys(JSON.parse(await attempt('environment')) as object).filter(
        (name) => name !== 'NODE_CHANNEL_FD' && name !== 'NODE_CHANNEL_SERIALIZATION_MODE',
      ),
    ).toEqual([]);
  });
});
