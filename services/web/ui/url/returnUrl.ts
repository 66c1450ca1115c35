/** The parameter with the address to return to; bookmarks of the reference have it too. */
export const BACK = 'return_url';

/** The page to return to, if the address names one of ours. */
export function wayBack(query: URLSearchParams): string | undefined {
  const path = query.get(BACK);
  // An address that a browser would resolve to another host is rejected.
  return path !== null && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(path) ? path : undefined;
}

/** The address with the page to return to. */
export const withWayBack = (address: string, back: string | undefined): string =>
  back === undefined ? address : `${address}${address.includes('?') ? '&' : '?'}${BACK}=${encodeURIComponent(back)}`;
