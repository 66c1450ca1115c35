import type { ServerResponse } from 'node:http';

/** Of an answer that is being made: whose it is. */
type Answering = Pick<ServerResponse, 'req'> & { locals?: { route?: unknown } };

/** What a process is at: a step of its work, and the request or the kind of thing that it is for. */
export interface CurrentWork {
  stage: string;
  of: Answering | string | undefined;
  /** How often a step has begun so far. */
  begun: number;
}

/**
 * One for all services of a process, as they share its event loop. It is written at every step of a request and read by
 * the watchdog alone, so it is no more than an assignment; what goes on after a pause may be another request than what
 * is told here.
 */
export const currentWork: CurrentWork = { stage: '', of: undefined, begun: 0 };

/** A step of the work begins. Without `of` it is one of what was begun before. */
export function enterStage(stage: string, of: CurrentWork['of'] = currentWork.of): void {
  currentWork.stage = stage;
  currentWork.of = of;
  currentWork.begun += 1;
}
