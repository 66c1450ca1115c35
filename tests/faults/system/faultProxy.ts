import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy for all connections to an address, which can cut or hold them. */
export interface FaultProxy {
  port: number;
  /**
   * Ends connections, as a network that fails does: all that are open, or each with a probability given by `chosen`.
   * Returns how many.
   */
  cut(chosen?: () => boolean): number;
  /** While held, data in transit is kept back, and new connections are not answered. */
  hold(held: boolean): void;
  /**
   * Drops the open connections silently, as a firewall may: nothing passes any more and neither end is notified. New
   * connections are accepted.
   */
  forget(): void;
  close(): Promise<void>;
}

/** Listens on a free port of the loopback address and passes everything on to another port there. */
export async function startFaultProxy(target: () => number): Promise<FaultProxy> {
  const pairs = new Set<{ from: Socket; to: Socket }>();
  const forgotten = new Set<Socket>();
  let held = false;
  const server = createServer({ pauseOnConnect: true }, (from) => {
    const to = connect({ port: target(), host: '127.0.0.1' });
    const pair = { from, to };
    const end = () => {
      from.destroy();
      to.destroy();
      pairs.delete(pair);
    };
    pairs.add(pair);
    for (const socket of [from, to]) socket.setNoDelay(true).on('error', end).on('close', end);
    from.on('data', (data) => {
      if (!to.write(data)) from.pause();
    });
    to.on('data', (data) => {
      if (!from.write(data)) to.pause();
    });
    from
      .on('drain', () => {
        if (!held) to.resume();
      })
      .on('end', () => to.end());
    to.on('drain', () => {
      if (!held) from.resume();
    }).on('end', () => from.end());
    if (held) to.pause();
    else from.resume();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', () => resolve());
  });
  const destroyAll = (): void => {
    for (const { from, to } of pairs) {
      from.destroy();
      to.destroy();
    }
    for (const socket of forgotten) socket.destroy();
  };
  return {
    port: (server.address() as { port: number }).port,
    cut: (chosen = () => true) => {
      const gone = [...pairs].filter(chosen);
      // A reset rather than an orderly end: neither side may believe that the other meant it.
      for (const { from, to } of gone) {
        from.resetAndDestroy();
        to.resetAndDestroy();
      }
      return gone.length;
    },
    hold: (wanted) => {
      held = wanted;
      for (const { from, to } of pairs)
        for (const socket of [from, to])
          if (held) socket.pause();
          else socket.resume();
    },
    forget: () => {
      for (const { from, to } of pairs)
        for (const socket of [from, to]) {
          socket.removeAllListeners('data').removeAllListeners('drain').pause();
          forgotten.add(socket.once('close', () => forgotten.delete(socket)));
        }
      pairs.clear();
    },
    close: () =>
      new Promise((resolve) => {
        destroyAll();
        server.close(() => resolve());
      }),
  };
}
