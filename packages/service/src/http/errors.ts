import { Refusal } from '@cadastre/body';
import { isTransient } from '@cadastre/events/transient';

/** What a request is answered with instead of its result. `body` is sent as JSON as it is. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) {
    super(`${status} ${JSON.stringify(body)}`);
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** The messages of one object by field, or of several objects by position. */
export type FieldErrors = Readonly<Record<string, unknown>> | readonly unknown[];

/** 400: a sentence, or messages by field. */
export const badRequest = (problem: string | FieldErrors): HttpError =>
  new HttpError(400, typeof problem === 'string' ? { detail: problem } : problem);
export const forbidden = (detail = 'You do not have permission to perform this action.'): HttpError =>
  new HttpError(403, { detail });
export const notFound = (detail = 'Not found.'): HttpError => new HttpError(404, { detail });
/** 503: nothing was changed, the client may try again. */
export const unavailable = (detail: string, retryAfterSeconds = 1): HttpError =>
  new HttpError(503, { detail }, { 'Retry-After': String(retryAfterSeconds) });

/** 507: nothing was changed; trying again helps once somebody has made room. */
const diskFull = (): HttpError =>
  new HttpError(
    507,
    { detail: 'The disk of the database is full. Nothing was changed; try again when there is room on it.' },
    { 'Retry-After': '30' },
  );

const noConnection = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EPIPE',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '08000',
  '08003',
  '08006',
]);

/** The answer for an error that the handler did not foresee; undefined when it is a fault of ours (500). */
export function asHttpError(error: unknown): HttpError | undefined {
  if (error instanceof HttpError) return error;
  if (error instanceof Refusal) return new HttpError(error.status, error.body, error.headers);
  const { code, status, expose, message } = traits(error);
  if (code === '57014')
    return badRequest(
      'The request took too long and was stopped. Narrow it, for example with fewer or simpler filters.',
    );
  if (code !== undefined && noConnection.has(code)) return unavailable('The database is not available.');
  if (code === '53100') return diskFull();
  if (message === 'timeout exceeded when trying to connect') return unavailable('The server is busy.');
  if (isTransient(error)) return unavailable('A part of the system is not available at present. Please try again.');
  if (status !== undefined && status >= 400 && status < 500)
    return new HttpError(status, { detail: expose && message ? message : 'Bad request.' });
  return undefined;
}

/** Properties of the errors that libraries (pg, express) throw. */
function traits(error: unknown): { code?: string; status?: number; expose?: boolean; message?: string } {
  return typeof error === 'object' && error !== null ? error : {};
}
