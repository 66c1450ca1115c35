import { beginKafka } from './servers/kafka.ts';
import { memoryFolder } from './memory-folder.ts';
import { beginRun } from './test-run.ts';

/** jest's globalSetup. */
export default async function begin({ testPathPatterns }: { testPathPatterns: { patterns: string[] } }): Promise<void> {
  // For this process and its workers, unless TMPDIR is set.
  const memory = memoryFolder();
  if (memory !== undefined) process.env['TMPDIR'] ??= memory;
  await beginRun();
  await beginKafka(testPathPatterns.patterns);
}
