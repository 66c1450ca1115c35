/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** An object as the API returns it. */
export type Thing = { [name: string]: Json };

export const isThing = (value: Json | undefined): value is Thing =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
