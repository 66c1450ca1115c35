import type { Connection, Followers } from '@cadastre/events';
import type { Seal } from '@cadastre/model';
import type { Pool } from 'pg';
import type { InternalEndpoints } from '../http/connect/internalEndpoints.ts';
import type { ReplayOptions } from '../intake/replay/run.ts';
import type { Finished } from '../queue/finish.ts';
import type { WebhookSettings } from '../settings.ts';
import type { DeliveryLog } from './problems.ts';

export interface DeliveryOptions {
  pool: Pool;
  /** To the same database, to listen on. */
  connection: Connection;
  followers: Pick<Followers, 'follow'>;
  /** The services whose changes can trigger webhooks. */
  services: readonly string[];
  config: WebhookSettings;
  /** Places of this system, to which no delivery goes. */
  own?: InternalEndpoints;
  /** Opens what is encrypted in webhooks. */
  seal?: Seal | undefined;
  /** What new objects of a type are to event rules besides `object_created`. */
  eventTypeOf?(objectType: string): string | undefined;
  logger: DeliveryLog;
  /** Waits until all that the services had changed by now has been handled by a group of followers; says whether it has. */
  caughtUp?(group: string): Promise<boolean>;
  /** Disables a rule whose deliveries have failed for too long, for everybody to see. */
  disable?(rule: number, since: string): Promise<void>;
  /** What replays ask other services for. */
  past?: Pick<ReplayOptions, 'changes' | 'show'>;
  /** Hears of every attempt that has ended. */
  onFinished?(finished: Finished): void;
}
