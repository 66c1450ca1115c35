// Checks the API document with other people's tools: starts a fresh system, fills it with the demo and runs a
// validator, schemathesis, and generators of clients in Python and of types in TypeScript.
//   node tools/conformance/openapi/main.ts
// The tools are installed into a temporary folder. Without Python 3 or the registries, one line says so, and
// nothing is tried.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cheap, startSystem, type System } from '../../testing/fresh-system.ts';

const TYPESCRIPT = ['openapi-typescript@7.13.0', 'typescript@5.9.3'];
const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'cadastre-openapi-'));
const bin = (name: string): string => join(folder, 'venv/bin', name);
const module = (name: string): string => join(folder, 'node_modules/.bin', name);

/** The output of a program. @throws Error that shows it when the program fails or takes too long */
const run = (program: string, ...args: string[]): Promise<string> => runWithin(600_000, program, ...args);

function runWithin(timeout: number, program: string, ...args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout,
      env: { ...process.env, PYTHONWARNINGS: 'ignore' },
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
    child
      .once('error', reject)
      .once('close', (code) =>
        code === 0
          ? resolve(text)
          : reject(
              new Error(
                `${program} ended with ${code}:\n${text.length > 9000 ? `${text.slice(0, 6000)}\n…\n${text.slice(-3000)}` : text}`,
              ),
            ),
      );
  });
}

/** A registry that fails to answer once is asked again: where it answers, installing takes seconds. */
async function fetched(program: string, ...args: string[]): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await runWithin(120_000, program, ...args);
      return;
    } catch (error) {
      if (attempt === 3) throw error;
    }
  }
}

/** Installs the tools; returns what is missing. */
async function install(): Promise<boolean> {
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  try {
    const done = await Promise.allSettled([
      run('python3', '-m', 'venv', join(folder, 'venv')).then(() =>
        fetched(bin('pip'), 'install', '--quiet', '--requirement', here('requirements.txt')),
      ),
      fetched('npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts', ...TYPESCRIPT),
    ]);
    // Neither may still be writing into the folder when it is removed.
    const failed = done.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
    return true;
  } catch (error) {
    console.log(
      `Skipped: Python 3 and the registries of Python and npm are needed (${(error as Error).message.split('\n')[0]}).`,
    );
    return false;
  }
}

const failures: string[] = [];
async function attempt(name: string, work: () => Promise<string | undefined>): Promise<void> {
  const began = performance.now();
  const problem = await work().catch((error: Error) => error.message);
  console.log(
    `${problem === undefined ? 'ok' : 'FAILED'}  ${name} (${((performance.now() - began) / 1000).toFixed(0)} s)${problem === undefined ? '' : `\n${problem}`}`,
  );
  if (problem !== undefined) failures.push(name);
}

async function check(): Promise<void> {
  const system = await startSystem(cheap);
  try {
    await run(process.execPath, here('../../demo/main.ts'), '--url', system.base, '--token', system.token);
    const document = join(folder, 'api.json');
    writeFileSync(document, await (await fetch(`${system.base}/api/schema/?format=json`)).text());
    // Each takes a while and one core, and they do not depend on each other.
    await Promise.all([readAnswers(document, system), readDocument(document)]);
  } finally {
    await system.stop();
  }
}

/** Operations that can take the requester's own rights away: they come last. */
const TAKES_ACCESS = '^(POST .*/revoke-tokens/|(PUT|PATCH|DELETE) /api/users/(users|tokens)/)';

/** The tools that send requests according to the document. */
async function readAnswers(document: string, system: System): Promise<void> {
  await attempt('schemathesis finds no answer that is not documented', async () => {
    await schemathesis(document, system, '--exclude-name-regex', TAKES_ACCESS);
    const { status } = await fetch(`${system.base}/api/status/`, {
      headers: { authorization: `Token ${system.token}` },
    });
    return status === 200
      ? undefined
      : `The token is no longer valid: what was asked since then was answered with ${status} alone`;
  });
  await attempt('… nor where it takes its own access away', async () => {
    await schemathesis(document, system, '--include-name-regex', TAKES_ACCESS);
    return undefined;
  });
}

/** Two minutes on an idle machine; on a busy one it has taken nine. */
const ASKING_MS = 1_800_000;

const schemathesis = (document: string, system: System, ...which: string[]): Promise<string> =>
  runWithin(
    ASKING_MS,
    bin('schemathesis'),
    '--config-file',
    here('schemathesis.toml'),
    'run',
    document,
    '--url',
    system.base,
    '--header',
    `Authorization: Token ${system.token}`,
    '--no-color',
    ...which,
  );

/** The tools that only read the document. */
async function readDocument(document: string): Promise<void> {
  await attempt('openapi-spec-validator finds no error', async () => {
    await run(bin('openapi-spec-validator'), document);
    return undefined;
  });
  await attempt('openapi-python-client makes a client of all of it', async () => {
    const text = await run(
      bin('openapi-python-client'),
      'generate',
      '--path',
      document,
      '--output-path',
      join(folder, 'client'),
      '--meta',
      'none',
    );
    return text.includes('WARNING') || text.includes('Unable to process') ? text.slice(0, 3000) : undefined;
  });
  await attempt('openapi-typescript makes types that compile', async () => {
    await run(module('openapi-typescript'), document, '--output', 'api.ts');
    writeFileSync(join(folder, 'use.ts'), USE);
    await run(module('tsc'), '--noEmit', '--strict', '--skipLibCheck', 'use.ts');
    return undefined;
  });
}

/** Code as a user of the types writes it. */
const USE = `import type { components } from './api';
type Schemas = components['schemas'];
declare const site: Schemas['Site'], port: Schemas['Interface'];
export const region: string | undefined = site.region?.name;
export const far: string[] = (port.connected_endpoints ?? []).map((end) => end.display);
export const tagged: Schemas['PatchedSiteRequest'] = { tags: [1, { slug: 'core' }], tenant: null, status: 'active' };
`;

let installed = false;
try {
  installed = await install();
  if (installed) await check();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
// Where everything is tested, no tool may be missing.
process.exitCode = failures.length || (!installed && process.env['CI']) ? 1 : 0;
