import { type Connection, listen as listenOn } from '@cadastre/events';
import { deliveryChannel } from './schema.ts';

/** What a listener hears of. */
export interface Heard {
  /** A delivery has been put into the queue, by whatever process. */
  woken(): void;
  /** Somebody wants a delivery stopped that is under way, in whatever process. */
  stopped(id: number): void;
}

/** Waits for what other processes say of the queue. Returns what ends that. */
export const listen = (
  connection: Connection,
  { woken, stopped }: Heard,
  onError: (error: unknown) => void,
): (() => Promise<void>) =>
  listenOn({
    connection,
    channels: [deliveryChannel],
    onNotify(_channel, payload) {
      if (payload) stopped(Number(payload));
      else woken();
    },
    onConnect: woken,
    onError,
  });
