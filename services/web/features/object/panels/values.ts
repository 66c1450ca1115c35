import type { Json } from '@cadastre/model';

/** Whether a value is empty. */
export const isNothing = (value: Json | undefined): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && !value.length);

/** Whether a value is structured, and so cannot be shown in one line. */
export const isStructured = (value: Json | undefined): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !['url', 'display', 'label'].some((name) => name in value);
