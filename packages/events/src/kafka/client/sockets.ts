import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { ISocketFactory } from 'kafkajs';

/** The connections of one client. */
export interface Sockets {
  factory: ISocketFactory;
  /** How many are there, connected or about to be. */
  open(): number;
  /**
   * Ends them, whatever waits on them, and lets no new ones be made: nothing that the client still means to send is
   * sent.
   */
  destroy(): void;
}

/** How long a connection is quiet before the system asks whether the other side is there, in milliseconds. */
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
      // With an error, as kafkajs takes no notice of a connection that only closes.
      for (const socket of all) socket.destroy(new Error('this client was given up'));
    },
  };
}
