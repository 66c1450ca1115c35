/**
 * An answer that is not a success. `body` is sent as JSON. Everything that refuses a request, from its first byte to the
 * last rule, throws one.
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

/** 400: a text is not valid JSON. */
export class NoJson extends Refusal {
  constructor(why: string) {
    super(400, { detail: `JSON parse error - ${why}` });
  }
}
