/**
 * How much longer than a statement may run its answer may take to arrive, in milliseconds. When none has arrived by
 * then, the database is gone, and the connection with it.
 */
export const answerWithinMs = 5_000;

/** Whether a statement failed because of `query_timeout` of `pg`, so that its connection cannot be used any more. */
export const isUnanswered = (error: unknown): error is Error =>
  error instanceof Error && error.message === 'Query read timeout';
