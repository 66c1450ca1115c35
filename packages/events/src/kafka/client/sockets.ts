import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { ISocketFactory } from 'kafkajs';

/** The connections of one client. */
export interface Sockets {
  factory: ISocketFactory;
  /** How many are there, connected or about to be. */
  open(): number;
  /**
   * Ends all connections, even those with requests pending, and prevents new ones: nothing that the client has queued
   * is sent any more.
   */
  destroy(): void;
}

/** How long a connection may be idle before the system probes the other side (TCP keepalive), in milliseconds. */
const keepAliveDelay = 10_000;

export function createSockets(): Sockets {
  const all = new Set<Socket>();
  let over = false;
  return {
    factory({ host, port, ssl, onConnect }) {
      if (over) throw new Error('this client was given up');
      const socket = ssl
        ? connectTls({ host, port, ...(isIP(host) ? {} : { servername: host }), ...ssl }, onConnect)
        : connect({ host, port }, onConnect);
      all.add(socket.setKeepAlive(true, keepAliveDelay).once('close', () => all.delete(socket)));
      return socket;
    },
    open: () => all.size,
    destroy() {
      over = true;
      // With an error, because kafkajs ignores a connection that closes without one.
      for (const socket of all) socket.destroy(new Error('this client was given up'));
    },
  };
}
