import type { Cell, Dict, Json, Values } from './json.ts';
import type { Errors, RuleContext } from './rule.ts';

/** An object that a request has changed, as effects see it. Values are stored ones, by field name, with the `id`. */
export interface Stored {
  action: 'created' | 'updated' | 'deleted';
  before: Values | null;
  after: Values | null;
  /** What was given for it, including values that are not stored; empty for objects that follow from others. */
  given: Values;
}

/**
 * What an effect may do. Everything happens in the transaction of the request and is recorded as part of it; objects
 * that it makes, changes or removes have their own effects. Every method takes a constant number of statements, however
 * many objects there are.
 */
export interface EffectContext extends Pick<RuleContext, 'related' | 'found' | 'displayOf' | 'service' | 'importing'> {
  /**
   * Who writes, and what that user has been given for an action on a type: nothing (false), everything (null), or what
   * meets one of the constraints.
   */
  requester: RuleContext['requester'] & {
    superuser: boolean;
    granted(action: string, type: string): false | null | Dict[];
  };
  /**
   * Objects of a model of this service whose fields have (one of) the given values, locked until the request ends, in
   * order of id.
   */
  find(type: string, where: Record<string, Json>): Promise<Values[]>;
  /** Rows of a statement with bound values. */
  query(text: string, values: unknown[]): Promise<Cell[][]>;
  /** Quoted name of a model's table, own or replica, for `query`. */
  tableOf(type: string): string;
  /** Stores new objects in order; fields that are left out get their defaults. Returns them as stored. */
  create(type: string, objects: Values[]): Promise<Values[]>;
  /** Changes objects: the id and the fields to change. */
  update(type: string, objects: Values[]): Promise<void>;
  /**
   * The same for columns that follow from others: replicas receive the change, but there is no change record and no
   * new `last_updated`.
   */
  derive(type: string, objects: Values[]): Promise<void>;
  /** Removes objects, with what goes with them. */
  remove(type: string, ids: number[]): Promise<void>;
  /** Ends a deletion with a 409 that names the objects that stand in its way; does nothing when there are none. */
  obstruct(type: string, ids: readonly number[]): Promise<void>;
  /** Ends the request with a 400; the messages stand at the object that is named, where the request has several. */
  refuse(errors: Errors, object?: Stored): never;
}

/**
 * What follows from changes of a model's objects. It gets all that changed at once, those that were cascaded away among
 * them.
 */
export type Effect = (changes: readonly Stored[], context: EffectContext) => Promise<void>;

/**
 * What follows here from changes of another service's objects. It gets their ids once the replicas are up to date
 * (without those that were deleted), repeatedly perhaps, so it compares what is there with what should be.
 */
export type Follow = (ids: number[], context: EffectContext) => Promise<void>;
