import type { Json } from '@cadastre/model';

/** Whether a value says nothing. */
export const isNothing = (value: Json | undefined): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && !value.length);

/** Whether a value has members of its own, so that it is no line of text. */
export const isStructured = (value: Json | undefined): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !['url', 'display', 'label'].some((name) => name in value);
