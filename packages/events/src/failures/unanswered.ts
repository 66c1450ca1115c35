/**
 * How much longer than a statement may take its answer may be under way, in milliseconds: where none has come by then,
 * the database is gone, and the connection with it.
 */
export const answerWithinMs = 5_000;

/** Whether it was `query_timeout` that ended a statement of `pg`, so that the connection is of no use any more. */
export const isUnanswered = (error: unknown): error is Error =>
  error instanceof Error && error.message === 'Query read timeout';
