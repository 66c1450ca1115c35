import type { Model } from '@cadastre/model';
import type { Requester } from '../../core/requester.ts';
import type { Run } from '../../db/limiter/guarded.ts';
import type { ReadEngine } from '../engine.ts';
import type { ListPlan } from '../plan/plan.ts';
import type { Query } from '../query/query.ts';

/** A list that somebody asks for, as the stages of its answer know it. */
export interface AskedList {
  engine: ReadEngine;
  model: Model;
  query: Query;
  who: Requester;
  /** Scheme and host that the client used. */
  base: string;
  plan: ListPlan;
  /** How its statements run. */
  run: Run;
  /** Resolves once what is remembered is up to date for this request. */
  invalidated: Promise<void>;
}
