/** Any JSON value. */
type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
/** A JSON object. */
export type JsonObject = { [key: string]: Json };

/** What happened to an object. */
export type Action = 'created' | 'updated' | 'deleted';

/** The request that caused a change; null for changes without one (jobs, cascades from other services). */
interface EventRequest {
  id: string;
  method: string;
  path: string;
  user: string | null;
  userId: number | null;
}

/** One change of one object: the change record, the outbox row and the message on the log are this one thing. */
export interface ChangeEvent {
  /** UUIDv7; consumers recognize repeated events by it. */
  id: string;
  /** ISO 8601 in UTC with microseconds. */
  time: string;
  request: EventRequest | null;
  action: Action;
  /** `<app>.<model>`, for example `dcim.site`. */
  objectType: string;
  objectId: number;
  /** The row's version after the change; makes a late or repeated event harmless. */
  version: number;
  display: string;
  message: string;
  /** The REST representation, URLs without host. */
  data: JsonObject | null;
  prechange: JsonObject | null;
  postchange: JsonObject | null;
  /** The raw row by column name. */
  row: JsonObject | null;
  /** The object that this one belongs to, if any. */
  related: { type: string; id: number } | null;
  /**
   * The change follows from a change elsewhere: other changes of the object may come after it under the same request.
   */
  consequence?: boolean | undefined;
  /**
   * When the change that caused this one was made, in the format of `time`: the event rules of that moment apply.
   * Absent when no other change caused it.
   */
  asOf?: string | undefined;
  /** The change came with an import: it happened in another system, possibly long ago. */
  imported?: boolean | undefined;
}

/** The large parts of an event, which describe its object. */
export const PARTS = ['row', 'data', 'prechange', 'postchange'] as const;
export type Part = (typeof PARTS)[number];

/** A message on the log that is not a change event. Trying again cannot help, so consumers park it at once. */
export class InvalidEvent extends Error {
  override name = 'InvalidEvent';
}

/** The moment whose event rules apply to a change, ISO 8601. */
export const madeAt = ({ time, asOf }: Pick<ChangeEvent, 'time' | 'asOf'>): string => asOf ?? time;

/** The topic that a service publishes its changes to. */
export const topicOf = (service: string): string => `cadastre.changes.${service}`;

/** Messages with one key keep their order: a key is an object. */
export const keyOf = (event: Pick<ChangeEvent, 'objectType' | 'objectId'>): string =>
  `${event.objectType}:${event.objectId}`;
