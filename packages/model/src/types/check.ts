import type { EffectContext } from './effect.ts';
import type { Cell, Values } from './json.ts';
import type { Errors, RuleContext } from './rule.ts';

/** An object as it is to be stored, and as it was before. */
export interface Proposed {
  object: Values;
  before: Values | null;
}

/** What a check may ask; every method is one statement. */
export interface CheckContext
  extends Pick<EffectContext, 'requester' | 'related' | 'displayOf' | 'service' | 'tableOf'>,
    Pick<RuleContext, 'importing'> {
  /**
   * Rows of a statement with bound values. It may take advisory locks, so that what it found out holds until the
   * request ends.
   */
  query(text: string, values: unknown[]): Promise<Cell[][]>;
}

/**
 * A rule over all objects of a request at once, for rules that query the database. It returns the messages for each
 * object, in the order of the objects.
 */
export type Check = (proposed: readonly Proposed[], context: CheckContext) => Promise<readonly (Errors | undefined)[]>;
