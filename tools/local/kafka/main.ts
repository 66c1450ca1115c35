// A real Apache Kafka broker for development and tests, without Docker.
//   node tools/local/kafka/main.ts start --data DIR [--port N] [--detach]      (port 0: any that is free)
//   node tools/local/kafka/main.ts stop --data DIR
import { parseArgs } from 'node:util';
import { startKafka, stopKafka } from './broker.ts';

const usage = 'usage: node tools/local/kafka/main.ts start --data DIR [--port N] [--detach] | stop --data DIR';

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      data: { type: 'string' },
      port: { type: 'string', default: '9092' },
      detach: { type: 'boolean', default: false },
    },
  });
  const command = positionals[0];
  const port = Number(values.port);
  if (values.data === undefined || !Number.isInteger(port) || positionals.length !== 1) throw new Error(usage);

  if (command === 'stop') {
    console.log((await stopKafka(values.data)) ? 'Kafka stopped.' : 'No Kafka runs there.');
  } else if (command === 'start') {
    const interrupted = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => interrupted.abort(new Error('interrupted')));
    const kafka = await startKafka({
      dataDir: values.data,
      ...(port === 0 ? {} : { port }),
      signal: interrupted.signal,
    });
    console.log(`Kafka is ready (process ${kafka.pid}): KAFKA_BROKERS=${kafka.brokers}`);
    if (values.detach) return;
    interrupted.signal.addEventListener('abort', () => void kafka.stop());
    // The broker's process is unreferenced for tests; here its end has to be awaited.
    const waiting = setInterval(() => {}, 60_000);
    await kafka.exited;
    clearInterval(waiting);
  } else {
    throw new Error(usage);
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
