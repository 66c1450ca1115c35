/** The parameter that says where a page leads back to; bookmarks of the reference have it too. */
export const BACK = 'return_url';

/** The page of ours that somebody comes from and wants to go back to, if the address says so. */
export function wayBack(query: URLSearchParams): string | undefined {
  const path = query.get(BACK);
  // An address that a browser would look for elsewhere is no page of ours.
  return path !== null && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(path) ? path : undefined;
}

/** The address with the way back. */
export const withWayBack = (address: string, back: string | undefined): string =>
  back === undefined ? address : `${address}${address.includes('?') ? '&' : '?'}${BACK}=${encodeURIComponent(back)}`;
