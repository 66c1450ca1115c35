export * from './event/clock.ts';
export * from './event/event.ts';
export * from './event/eventId.ts';
export {
  irrelevantToText,
  eventText,
  isDerived,
  isTold,
  parseEvent,
  partText,
  plain,
  validateEvent,
} from './event/eventText.ts';
export * from './failures/transient.ts';
export * from './follow/follow.ts';
export * from './follow/followers.ts';
export * from './follow/keep-following.ts';
export * from './follow/park.ts';
export * from './follow/parked.ts';
export * from './log/log.ts';
export * from './log/shared.ts';
export * from './outbox/outbox.ts';
export * from './outbox/published.ts';
export * from './outbox/relay.ts';
export type { Confirm } from './outbox/trim.ts';
export * from './outbox/written.ts';
export { listen } from './waiting/listener.ts';
export { type Connection, createSession, type Session } from './waiting/session.ts';
