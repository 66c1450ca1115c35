import type { Feature } from './feature.ts';
import type { Json, Values } from './json.ts';

/** The request by which something is written, and the address of the client that sent it. */
export interface Origin {
  request: string;
  address: string;
}

/**
 * Asks for what a rule needs beyond its own row. Rules of all objects of a request run side by side, and what they ask
 * for at the same time becomes one statement; it is remembered for the request.
 */
export interface RuleContext {
  /** The row before the change, or null on creation. */
  before: Values | null;
  /** What was given for it: the fields that the change names, and of a new object those that got a default. */
  given: Values;
  /** All objects of the request as they will be stored, this one among them, in order. */
  among: readonly Values[];
  /** Stored values of a related object, or null when it is not there. */
  related(type: string, id: Json | undefined): Promise<Values | null>;
  /**
   * The same as it is now, locked until the request ends: for a rule about two objects that a concurrent request might
   * break by changing the other one. Objects of other services are not locked.
   */
  held(type: string, id: Json | undefined): Promise<Values | null>;
  /** The same, asked of the service that owns it: for what must be known as it is now. */
  current(type: string, id: Json | undefined): Promise<Values | null>;
  /** Stored values of the objects of a type whose field has the value, in order of id. */
  found(type: string, field: string, value: Json | undefined): Promise<readonly Values[]>;
  /** Whether the first id is the second or lies below it in the tree. */
  isBelow(type: string, id: number, ancestor: number): Promise<boolean>;
  /** Display text of an object. */
  displayOf(type: string, id: number): Promise<string>;
  /** Who writes; `origin` is where a client's request comes from. */
  requester: { userId: number | null; username?: string; origin?: Origin };
  /** The object is imported from another system: what is wrong with it is noted, and what it had is kept. */
  importing?: boolean;
  /** What the model has done ahead of the transaction for this object. */
  ahead?: Values | undefined;
  /** What comes with objects of a type, or undefined when no such type is declared. */
  featuresOf(type: string): ReadonlySet<Feature> | undefined;
  /** How change records name a type, or undefined when no such type is declared. */
  labelOf(type: string): string | undefined;
  /** Facilities of the service that owns the model (passwords, templates …), by name. */
  service<T>(name: string): T;
}

/** Messages by field name; `__all__` for the object as a whole. */
export type Errors = Record<string, unknown>;

/** What a rule throws when the requester may not do this at all (403); the message is for the client. */
export class Forbidden extends Error {}

/**
 * A separate permission that writing some objects requires besides `add` and `change`; its constraints must hold for
 * the object as it is stored.
 */
export interface Need {
  action: string;
  /** Whether this write requires it. */
  when(object: Values, before: Values | null, requester: RuleContext['requester']): boolean;
  /** The message for a user who does not have it. */
  refusal: string;
}

/** @throws Forbidden */
export type Guard = (objects: readonly Values[], requester: { userId: number | null; superuser: boolean }) => void;

/**
 * Work that takes long and needs no database. It gets what a client gave for one object, and rules find what it returns
 * as `ahead` in their context.
 */
export type Ahead = (given: Values, context: Pick<RuleContext, 'requester' | 'service'>) => Promise<Values | undefined>;

/**
 * A rule that crosses fields. It gets the whole object as it will be stored and says what is wrong; it may fill in
 * stored values.
 */
export type Rule = (object: Values, context: RuleContext) => Promise<Errors | undefined> | Errors | undefined;
