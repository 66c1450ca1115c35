import { Refusal, refuse } from '@cadastre/body';

export { Refusal, refuse };

export const invalid = (errors: Record<string, unknown> | unknown[]): Refusal => new Refusal(400, errors);
/** A requester without a user is asked to authenticate. */
export const notPermitted = (who: { userId: number | null }): Refusal =>
  refuse(
    403,
    who.userId === null
      ? 'Authentication credentials were not provided.'
      : 'You do not have permission to perform this action.',
  );
export const notFound = (className: string): Refusal => refuse(404, `No ${className} matches the given query.`);
