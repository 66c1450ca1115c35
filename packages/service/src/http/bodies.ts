import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Body, type BodyLimits, bodyOn, hasBody, type Room, type RoomLimits } from '@cadastre/body';
import type { Config } from '../settings/config.ts';
import { abandonedEvent } from './server.ts';

/** The limits of what clients may send to a process, and the room for what they send at the same time. */
export interface Bodies {
  /**
   * The body of a request, which is received and parsed when it is first asked for; undefined if there is none. The
   * room that it takes counts as the user's until the response is closed.
   */
  of(request: IncomingMessage, response: ServerResponse, user: string): Body | undefined;
}

export function bodiesWithin(limits: BodyLimits, room: Room): Bodies {
  return {
    of(request, response, user) {
      const { method } = request;
      if (method === 'GET' || method === 'HEAD' || !hasBody(request)) return undefined;
      return bodyOn(request, limits, async (bytes) => {
        const release = await room.take(user, bytes, goneOf(response));
        if (response.closed) release();
        else response.once('close', release);
      });
    },
  };
}

/** Aborts when the client no longer waits for the answer. */
function goneOf(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  if (response.closed) leave();
  response.once(abandonedEvent, leave).once('close', leave);
  return gone.signal;
}

export const bodyLimitsOf = (config: Pick<Config, BodySetting>): BodyLimits => ({
  size: { bytes: config.maxBodyBytes, ratio: config.bodyMaxRatio },
  json: {
    depth: config.jsonMaxDepth,
    values: config.jsonMaxValues,
    items: config.jsonMaxItems,
    members: config.jsonMaxMembers,
    name: config.jsonMaxName,
    number: config.jsonMaxNumber,
    text: config.jsonMaxText,
  },
  form: { fields: config.formMaxFields, name: config.formMaxName, files: config.formMaxFiles },
});

type BodySetting =
  | 'maxBodyBytes'
  | 'bodyMaxRatio'
  | 'jsonMaxDepth'
  | 'jsonMaxValues'
  | 'jsonMaxItems'
  | 'jsonMaxMembers'
  | 'jsonMaxName'
  | 'jsonMaxNumber'
  | 'jsonMaxText'
  | 'formMaxFields'
  | 'formMaxName'
  | 'formMaxFiles';

export const roomLimitsOf = (
  config: Pick<Config, 'bodyMemoryBytes' | 'bodyMemoryBytesPerUser' | 'bodyQueue' | 'bodyQueuePerUser' | 'bodyWaitMs'>,
): RoomLimits => ({
  bytes: config.bodyMemoryBytes,
  bytesPerUser: config.bodyMemoryBytesPerUser,
  waiting: config.bodyQueue,
  waitingPerUser: config.bodyQueuePerUser,
  waitMs: config.bodyWaitMs,
});
