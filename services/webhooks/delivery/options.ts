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
  /** Endpoints of this system, to which no delivery may go. */
  own?: InternalEndpoints;
  /** Decrypts the encrypted parts of webhooks. */
  seal?: Seal | undefined;
  /** The further event type, besides `object_created`, by which rules know the creation of objects of a type. */
  eventTypeOf?(objectType: string): string | undefined;
  logger: DeliveryLog;
  /**
   * Waits until a group of followers has handled all changes that the services have made so far; returns whether it
   * has.
   */
  caughtUp?(group: string): Promise<boolean>;
  /** Disables a rule whose deliveries have failed for too long, as a recorded change. */
  disable?(rule: number, since: string): Promise<void>;
  /** The other services that replays ask for data. */
  past?: Pick<ReplayOptions, 'changes' | 'show'>;
  /** Called after every attempt that has ended. */
  onFinished?(finished: Finished): void;
}
