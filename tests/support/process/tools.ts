import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';

export interface Ended {
  /** Null for a process that was killed. */
  code: number | null;
  out: string;
  err: string;
}

/** Runs one of the project's commands (`import.ts`). `during` is called with the output as it arrives. */
export function runTool(
  name: string,
  words: readonly string[],
  during: (child: ChildProcess, err: string) => void = () => {},
): Promise<Ended> {
  const program = resolve(import.meta.dirname, '../../..', 'tools', name);
  const child = spawn(process.execPath, [program, ...words], { env: {}, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.err += text;
    during(child, said.err);
  });
  return new Promise((done) => child.once('close', (code) => done({ code, ...said })));
}
