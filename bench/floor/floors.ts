import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { read, SECONDS } from '../load/load.ts';
import type { Beside } from '../report/report.ts';
import { statementsOf } from './statements.ts';
import { freePort } from '../../tools/local/processes/free-ports.ts';
import type { System } from '../../tools/testing/fresh-system.ts';

/**
 * The share of the floor's rate to be reached: reading one object is mostly overhead of the processes, reading a page
 * is not.
 */
const WANTED = { detail: 0.5, page: 0.7 };

/** What bare `node:http` and `pg` reach with the statements of one type. */
export interface Floor {
  detail: Beside;
  /** By the size of the page. */
  pages: Record<number, Beside>;
}

/** Measures the floor of a type, with one of its objects and pages of these sizes. */
export async function floorOf(system: System, type: string, id: number, sizes: number[]): Promise<Floor> {
  const service = type.split('.')[0]!;
  const port = await freePort();
  const statements = await statementsOf(service, type, id, sizes);
  const child = spawn(process.execPath, [fileURLToPath(new URL('./floor.ts', import.meta.url))], {
    env: {
      ...process.env,
      FLOOR_PORT: String(port),
      FLOOR_DATABASE_URL: system.databaseUrl(service),
      FLOOR_STATEMENTS: JSON.stringify(statements),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  try {
    const base = `http://127.0.0.1:${port}`;
    await answers(`${base}/detail`);
    const reached = async (path: string, wanted?: number): Promise<Beside> => {
      await read(base + path, {}, 1);
      const { perSecond } = await read(base + path, {}, SECONDS);
      return { perSecond, name: 'the floor', ...(wanted === undefined ? {} : { wanted }) };
    };
    const detail = await reached('/detail', WANTED.detail);
    const pages: Record<number, Beside> = {};
    for (const size of sizes) pages[size] = await reached(`/page/${size}`, size === 50 ? WANTED.page : undefined);
    return { detail, pages };
  } finally {
    child.kill('SIGTERM');
  }
}

async function answers(url: string): Promise<void> {
  for (let tries = 0; tries < 50; tries++) {
    const ok = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (ok) return;
    await sleep(100);
  }
  throw new Error('The floor did not start.');
}
