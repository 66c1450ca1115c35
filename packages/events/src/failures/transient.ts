import { isUnanswered } from './unanswered.ts';

// SQLSTATE classes of transient errors: connection, resources, operator intervention, serialization and deadlock.
const sqlStates = /^(08|53|57P0|40001|40P01|55P03)/;
const systemErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
// gRPC: DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, UNAVAILABLE.
const grpcStates = new Set([4, 8, 14]);
// Errors that `pg` throws without a code.
const messages =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/;

/** Whether an error is transient and not caused by the message: a later try can succeed without anybody intervening. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  if (typeof code === 'string' && (systemErrors.has(code) || sqlStates.test(code))) return true;
  if (typeof code === 'number' && grpcStates.has(code)) return true;
  return (
    messages.test(error.message) ||
    isUnanswered(error) ||
    (cause !== undefined && cause !== error && isTransient(cause))
  );
}
