import type { Pool, PoolClient } from 'pg';
import { deliveryChannel } from './schema.ts';

/** A connection that waits for notifications. */
export interface Listener {
  stop(): Promise<void>;
}

const reconnectMs = 1_000;

/** What a listener hears of. */
export interface Heard {
  /** A delivery has been put into the queue, by whatever process. */
  woken(): void;
  /** Somebody wants a delivery stopped that is under way, in whatever process. */
  stopped(id: number): void;
}

/** Waits for what other processes say of the queue. A lost connection is made anew. */
export function listen(pool: Pool, { woken: wake, stopped: stop }: Heard, onError: (error: unknown) => void): Listener {
  let stopped = false;
  let client: PoolClient | null = null;
  let timer: NodeJS.Timeout | null = null;

  const lost = (error: unknown): void => {
    if (stopped || timer) return;
    onError(error);
    client?.removeAllListeners('notification');
    client?.release(true);
    client = null;
    timer = setTimeout(() => {
      timer = null;
      connecting = connect();
    }, reconnectMs);
  };
  const connect = async (): Promise<void> => {
    try {
      const made = await pool.connect();
      if (stopped) return made.release();
      client = made;
      made.on('notification', ({ payload }) => {
        if (payload) stop(Number(payload));
        else wake();
      });
      made.on('error', lost);
      await made.query(`listen ${deliveryChannel}`);
      wake();
    } catch (error) {
      lost(error);
    }
  };
  let connecting = connect();
  return {
    async stop() {
      stopped = true;
      if (timer) clearTimeout(timer);
      await connecting;
      client?.release(true);
    },
  };
}
