// The local receiver: prints what webhooks send to it.
import type { AddressInfo } from 'node:net';
import { help, readOptions, type ReceiverOptions, UsageError } from './options.ts';
import { createReceiver } from './server.ts';
import { NotReached, systemOf } from '../command/system.ts';

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

function options(): ReceiverOptions {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    if (error instanceof UsageError) fail(`${error.message}\n\n${help}`);
    throw error;
  }
}

const given = options();
if (given.help) {
  process.stdout.write(help);
  process.exit(0);
}
// A reader such as `head` may leave before we do.
process.stdout.on('error', () => process.exit(0));
const server = createReceiver(
  given,
  (text) => process.stdout.write(text),
  process.stdout.isTTY && !process.env.NO_COLOR,
);

server.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EADDRINUSE')
    fail(
      `Port ${given.port} is in use, perhaps by another receiver. Stop that, or choose another port: npm run receiver -- --port ${given.port + 1}`,
    );
  if (error.code === 'EACCES')
    fail(`Port ${given.port} may not be used by this account; choose one above 1023 with --port.`);
  fail(`The receiver cannot listen on ${given.host}:${given.port}: ${error.message}`);
});
server.listen(given.port, given.host, () => {
  const { port } = server.address() as AddressInfo;
  const host = given.host.includes(':') ? `[${given.host}]` : given.host;
  process.stderr.write(
    `Waiting for webhooks at http://${host}:${port}/ (Ctrl-C ends it)\n${whose(`http://${host}:${port}/`)}\n`,
  );
});

/** The system that sends here, or why none is known: it may be anywhere, so that is not an error. */
function whose(address: string): string {
  try {
    const { url } = systemOf({ url: given.url });
    return `Cadastre at ${url} sends here the webhooks whose payload_url is ${address} (${url}/extras/webhooks/ lists them and sends tests).`;
  } catch (error) {
    if (!(error instanceof NotReached)) throw error;
    return error.message;
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    server.close(() => process.exit(0));
    server.closeAllConnections();
  });
}
