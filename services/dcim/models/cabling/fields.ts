import { fails, type Json, type Parsed } from '@cadastre/model';

/** One position of a connector, in a list of them. */
export const position = (value: Json): Parsed =>
  typeof value === 'number' && Number.isInteger(value) ? { value } : fails('A valid integer is required.');
