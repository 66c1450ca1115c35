import type { ObjectSnapshot } from '../serialize/objectSnapshot.ts';
import type { Requester } from '../core/requester.ts';

/**
 * Which objects are asked for: those of a type whose `field` refers to one of some objects of the type `to`, at most
 * `limit`.
 */
export interface Asked {
  type: string;
  field: string;
  to: string;
  ids: readonly number[];
  limit: number;
}

/** Which object refers to which, in order, and the objects: one more than the limit when there are more. */
export interface RelatedObjects {
  pairs: readonly (readonly [of: number, id: number])[];
  objects: ObjectSnapshot[];
}

/** Objects of other services, those that the requester may view. @throws Unreachable */
export interface RemoteObjects {
  show(service: string, type: string, ids: number[], who: Requester): Promise<ObjectSnapshot[]>;
  related(service: string, asked: Asked, who: Requester): Promise<RelatedObjects>;
}
