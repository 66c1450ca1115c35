import type { Server } from 'node:http';
import { within } from './addresses.ts';

/**
 * Limits the connections of each address; proxies are exempt, as they have those of many clients, and limits of their
 * own.
 */
export function limitConnections(server: Pick<Server, 'on'>, most: number, trustedProxies: readonly string[]): void {
  const open = new Map<string, number>();
  const trusted = within(trustedProxies);
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? '';
    const now = (open.get(address) ?? 0) + 1;
    if (now > most && !trusted(address)) return void socket.destroy();
    open.set(address, now);
    socket.once('close', () => {
      const left = open.get(address)! - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
  });
}
