/**
 * An answer that is not a success. `body` is sent as JSON. Everything in the pipeline that refuses a request throws
 * one.
 */
export class Refusal extends Error {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Record<string, string>;
  constructor(status: number, body: unknown, headers: Record<string, string> = {}) {
    super(`refused with ${status}`);
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

export const refuse = (status: number, detail: string, headers?: Record<string, string>): Refusal =>
  new Refusal(status, { detail }, headers);
export const invalid = (errors: Record<string, unknown> | unknown[]): Refusal => new Refusal(400, errors);
/** Nobody in particular is told to say who they are. */
export const notPermitted = (who: { userId: number | null }): Refusal =>
  refuse(
    403,
    who.userId === null
      ? 'Authentication credentials were not provided.'
      : 'You do not have permission to perform this action.',
  );
export const notFound = (className: string): Refusal => refuse(404, `No ${className} matches the given query.`);
