import { beginKafka } from './kafka.ts';
import { beginRun } from './test-run.ts';

/** jest's globalSetup. */
export default async function begin({ testPathPatterns }: { testPathPatterns: { patterns: string[] } }): Promise<void> {
  await beginRun();
  await beginKafka(testPathPatterns.patterns);
}
