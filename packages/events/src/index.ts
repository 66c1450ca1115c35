export * from './event.ts';
export * from './follow.ts';
export * from './log.ts';
export * from './outbox.ts';
