import type { Draft } from './draft.ts';

/** Whether a row comes from an export and creates an object. */
export const isNewOfExport = ({ said, body }: Pick<Draft, 'said' | 'body'>): boolean =>
  typeof said['display'] === 'string' && body['id'] === undefined;

/** Whether a row comes from an export and changes the object that was exported. */
export const isOfExport = ({ said, before }: Pick<Draft, 'said' | 'before'>): boolean =>
  typeof said['display'] === 'string' && before !== undefined;
