/** What JSON holds. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** An object of the API, as it is answered. */
export type Thing = { [name: string]: Json };

export const isThing = (value: Json | undefined): value is Thing =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
