import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';

/** The port after the last one that `fetch` and browsers always refuse, as it belongs to another protocol: 10080. */
export const lowest = 10_081;
/**
 * Where the ephemeral port ranges of the usual systems begin; Linux says where its own does.
 */
const usualLimit = 32_768;
/** After this many ports that are in use, any port will do. */
const tries = 200;

/**
 * Different free ports of the loopback address. They lie outside the ephemeral range: a port in that range may be lost
 * between its choice and its use, or while the program that listens on it is restarted, even to those that try to
 * connect to it.
 */
export async function freePorts(count: number, from = lowest, below = connectionPorts()): Promise<number[]> {
  const held: Server[] = [];
  try {
    for (let left = tries; held.length < count; left--) {
      const port = left > 0 && below > from ? randomInt(from, below) : 0;
      const server = await listenOn(port, '127.0.0.1').catch((error: Error) => {
        if (port === 0) throw error;
      });
      if (server) held.push(server);
    }
    return held.map((server) => (server.address() as { port: number }).port);
  } finally {
    await Promise.all(held.map(unlisten));
  }
}

/** One such port. */
export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}

export function listenOn(port: number, host?: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject).listen({ port, host }, () => resolve(server));
  });
}

export const unlisten = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
  });

/** The first port of the system's ephemeral range. */
function connectionPorts(): number {
  try {
    return Number.parseInt(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8'), 10) || usualLimit;
  } catch {
    return usualLimit;
  }
}
