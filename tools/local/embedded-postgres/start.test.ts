import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import pg from 'pg';
import { freePort, listenOn, unlisten } from '../processes/free-ports.ts';
import { clear, temporaryFolder } from '../../testing/test-run.ts';
import { startEmbeddedPostgres } from './start.ts';

test('a server whose port another program has taken meanwhile starts on another', async () => {
  const folder = await temporaryFolder();
  const other = await listenOn(0, '127.0.0.1');
  const taken = (other.address() as { port: number }).port;
  other.on('connection', (socket) => socket.destroy());
  const choices = [taken, await freePort()];
  try {
    const server = await startEmbeddedPostgres(
      { dataDir: join(folder, 'postgres'), durable: false },
      async () => choices.shift()!,
    );
    expect([choices, new URL(server.url).port === String(taken)]).toEqual([[], false]);
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await client.end();
    await server.stop();
  } finally {
    await unlisten(other);
    await clear(folder);
  }
});
