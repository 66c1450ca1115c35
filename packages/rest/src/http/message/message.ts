import type { Body } from '@cadastre/body';
import type { IncomingMessage } from 'node:http';
import type { Requester } from '../../core/requester.ts';
import type { Waiter } from '../../db/limiter/guarded.ts';
import type { Operations } from '../../openapi/operation.ts';
import type { Parts } from '../../serialize/parts.ts';
import type { WriteContext } from '../../write/context/context.ts';
import type { Stream } from './stream.ts';

/** A request as the pipeline takes it, freed of its carrier. */
export interface ApiRequest extends Waiter {
  method: string;
  /** Path without the query. */
  path: string;
  /** Query string without the question mark. */
  search: string;
  headers: IncomingMessage['headers'];
  /** The request's body; read only when it is asked for. */
  body: Body | undefined;
  id: string;
  /** Scheme and host that the client used. */
  base: string;
  who: Requester;
  clientIp: string;
  /** Writes in other services that every service asked for this request must have seen. */
  pendingWrites?: string;
}

export interface ApiResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** The body in parts, where it is put together from some. */
  parts?: Parts;
  /** Comes instead of the body, piece by piece. */
  stream?: Stream;
  /** Aborts when the stream has to end, even if the client does not take what is sent. */
  ends?: AbortSignal;
}

/** What a service does at an address below a model's, other than plainly reading or writing objects. */
export interface ActionHandler {
  methods: string[];
  /** What the action does, for the API document; an action without it is not part of the API. */
  operations?: Operations;
  handle(request: ApiRequest, id: string | null): Promise<ApiResponse>;
}

export function contextOf(request: ApiRequest): WriteContext {
  const { id, method, path, who, base, clientIp: address, pendingWrites } = request;
  return {
    who: { ...who, origin: { request: id, address } },
    base,
    cause: { id, method, path, user: who.username, userId: who.userId },
    ...(pendingWrites === undefined ? {} : { pendingWrites }),
  };
}
