const home = '/';

/** The path of a page of ours to go on to, never an address elsewhere. */
export const ownPath = (path: string | null): string =>
  path !== null && /^\/(?![/\\])[\x21-\x7e]*$/.test(path) ? path : home;
