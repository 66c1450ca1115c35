import { currentRequest, type WorkOf } from './request-context.ts';

/** What a process is doing: a step of its work, and what it is for. */
export interface CurrentWork {
  stage: string;
  of: WorkOf | undefined;
  /** How often a step has begun so far. */
  begun: number;
}

/**
 * One for all services of a process, as they share its event loop. It is written at every step of a request and read
 * only by the watchdog. A step is attributed to its own request, even after a pause. Code that runs after a pause
 * without beginning a step is attributed to the step that any request began last: tracking every turn (async_hooks)
 * would slow down all requests for the sake of a line that is seldom logged.
 */
export const currentWork: CurrentWork = { stage: '', of: undefined, begun: 0 };

/**
 * To be called when a step of the work begins. Without `of` the step belongs to the request for which this code runs.
 */
export function enterStage(stage: string, of?: WorkOf): void {
  const request = currentRequest();
  if (of !== undefined && request) request.work = of;
  currentWork.stage = stage;
  currentWork.of = of ?? request?.work;
  currentWork.begun += 1;
}
