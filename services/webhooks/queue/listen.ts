import { type Connection, listen as listenOn } from '@cadastre/events';
import { deliveryChannel } from './schema.ts';

/** The messages that a listener receives. */
export interface Heard {
  /** A delivery has been put into the queue, by whatever process. */
  woken(): void;
  /** A user wants to stop a delivery that is under way, in whatever process. */
  stopped(id: number): void;
}

/** Listens for messages of other processes about the queue. Returns a function that stops it. */
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
