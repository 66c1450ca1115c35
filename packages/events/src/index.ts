export * from './event.ts';
export * from './follow.ts';
export * from './keep-following.ts';
export * from './log.ts';
export * from './outbox.ts';
export * from './park.ts';
export * from './transient.ts';
export * from './relay.ts';
