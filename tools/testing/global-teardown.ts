import { endKafka } from './servers/kafka.ts';
import { endRun } from './test-run.ts';

/** jest's globalTeardown. */
export default async function end(): Promise<void> {
  await endKafka();
  await endRun();
}
