import type { Draft } from './draft.ts';

/** Whether a row of an export makes an object. */
export const isNewOfExport = ({ said, body }: Pick<Draft, 'said' | 'body'>): boolean =>
  typeof said['display'] === 'string' && body['id'] === undefined;

/** Whether a row is an export of the object that it changes. */
export const isOfExport = ({ said, before }: Pick<Draft, 'said' | 'before'>): boolean =>
  typeof said['display'] === 'string' && before !== undefined;
