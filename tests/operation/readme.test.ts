// What README.md says, done word for word; only the two addresses are those of this run.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { adminPassword, useSystem } from '../support/system.ts';

const used = useSystem();
const root = fileURLToPath(new URL('../..', import.meta.url));
const readme = readFileSync(`${root}/README.md`, 'utf8');
const walk = /\n## A walk\n([\s\S]*?)\n## /.exec(readme)![1]!;
const [receiving, ...steps] = [...walk.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block!);

/** A shell into which a reader pastes lines, typing the password when asked for it. */
async function shell(script: string): Promise<{ code: number; out: string; errors: string }> {
  const child = spawn('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
    cwd: root,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], DATA_DIR: used.system.folder },
  });
  let out = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  child.stdin.end(`${adminPassword}\n`);
  const [code] = (await once(child, 'close')) as [number];
  return { code, out, errors };
}

test('the walk works line by line, whatever id the webhook gets', async () => {
  expect(receiving).toBe('npm run receiver\n');
  const receiver = spawn(process.execPath, [`${root}/tools/receiver/main.ts`, '--port', '0', '--secret', 's3cr3t'], {
    env: { ...process.env, DATA_DIR: used.system.folder },
  });
  let received = '';
  let told = '';
  receiver.stdout.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  receiver.stderr.setEncoding('utf8').on('data', (text: string) => {
    told += text;
  });
  try {
    await eventually(() =>
      expect(told).toMatch(
        /Waiting for webhooks at http:\/\/127\.0\.0\.1:\d+\/.*\nCadastre at http:\/\/127\.0\.0\.1:\d+ sends here/,
      ),
    );
    const script = steps
      .join('\n')
      .replaceAll('http://localhost:8000', used.system.base)
      .replaceAll('http://localhost:9000/', /http:\S+/.exec(told)![0]);
    // What a reader sees in between, and what is to be removed.
    const { code, out, errors } = await shell(`${script}\necho; echo "WEBHOOK=$WEBHOOK"`);
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    const webhook = Number(/WEBHOOK=(\d+)\n$/.exec(out)?.[1]);
    expect(await used.admin.read(`/api/extras/webhooks/${webhook}/`)).toMatchObject({ name: 'local' });
    await eventually(() => expect(received).toMatch(/ created dcim\.site Berlin 1\n[\s\S]*Signature valid/));
    await eventually(async () =>
      expect(
        (await used.admin.read(`/api/extras/webhook-deliveries/?webhook_id=${webhook}&status=succeeded`)).count,
      ).toBeGreaterThan(0),
    );
    for (const shown of ['"name":"Berlin 1"', '"action_object_id":', '"changed_object_type":"dcim.site"'])
      expect(out).toContain(shown);
  } finally {
    receiver.kill();
    for (const path of ['extras/event-rules/?name=sites', 'extras/webhooks/?name=local', 'dcim/sites/?slug=ber1']) {
      for (const { id } of (await used.admin.read(`/api/${path}`)).results)
        await used.admin.delete(`/api/${path.split('?')[0]}${id}/`);
    }
  }
});

test('what it points at is there', () => {
  for (const [, path] of readme.matchAll(/\]\(([^)#:]+)\)/g))
    expect(() => readFileSync(`${root}/${path}`)).not.toThrow(/ENOENT/);
  const { scripts } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as { scripts: Record<string, string> };
  for (const [, name] of readme.matchAll(/npm run (?:-s )?([\w:]+)/g)) expect(scripts).toHaveProperty([name!]);
});
