import type { Cell, Model } from '@cadastre/model';

/** The request that causes a change; `elsewhere`: it wrote something in another service, which this follows from. */
export interface Cause {
  id: string;
  method: string;
  path: string;
  user: string | null;
  userId: number | null;
  elsewhere?: true;
  /** An import: it tells of what happened somewhere else. */
  imported?: true;
}

/** One object's change, before it is written down. Rows are as `rowColumns` orders them. */
export interface Change {
  action: 'created' | 'updated' | 'deleted';
  model: Model;
  before: Cell[] | null;
  after: Cell[] | null;
  message: string;
  /**
   * Only derived columns changed, nothing that a client wrote: replicas follow the change, no other consumer gets it.
   */
  derived?: boolean;
  /** Its own request, where several write together. */
  cause?: Cause | undefined;
  /** When it happened, ISO 8601, where it is written down later: event rules count as they were then. */
  asOf?: string | undefined;
}
