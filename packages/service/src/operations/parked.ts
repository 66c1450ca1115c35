import { discardParked, type Followers, listParked, type ParkedMessage, readParked } from '@cadastre/events';
import { status } from '@grpc/grpc-js';
import type { Pool } from 'pg';
import { GrpcError, type Handlers } from '../grpc/service.ts';
import type { Log } from '../observe/log.ts';
import type { ParkedApi, WireParked } from './api.ts';

export interface ParkedParts {
  pool: Pool;
  followers: Pick<Followers, 'replay'>;
  log: Log;
}

const absent = () => new GrpcError(status.NOT_FOUND, 'No such event is parked.');

const wire = ({
  parked,
  lastReplay,
  id,
  group,
  topic,
  partition,
  position,
  key,
  error,
  replays,
  size,
}: ParkedMessage): WireParked => ({
  id,
  group,
  topic,
  partition,
  position,
  key,
  error,
  replays,
  size,
  parked,
  last_replay: lastReplay ?? '',
});

/** The service's methods for events that it could not handle. */
export const parkedHandlers = ({ pool, followers, log }: ParkedParts): Handlers<ParkedApi> => ({
  async ParkedEvents(page) {
    const { count, messages } = await listParked(pool, page);
    return { count, events: messages.map(wire) };
  },
  async ParkedEvent({ id }) {
    const found = await readParked(pool, id);
    if (!found) throw absent();
    return { event: wire(found), value: found.value, trace: found.trace };
  },
  async ReplayParked({ id }) {
    const replay = await followers.replay(id);
    if (replay.outcome === 'absent') throw absent();
    if (replay.outcome === 'busy') throw new GrpcError(status.ABORTED, 'It is being replayed already.');
    log.info({ parked: id, ...replay }, 'a parked event was replayed');
    return { error: replay.outcome === 'failed' ? replay.error : '' };
  },
  async DiscardParked({ id }) {
    if (!(await discardParked(pool, id))) throw absent();
    log.info({ parked: id }, 'a parked event was discarded');
    return {};
  },
});
