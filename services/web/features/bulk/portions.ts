/** The limits of one API request. */
export interface Most {
  items: number;
  bytes: number;
}

/** Space in a request's body for what surrounds the items. */
const AROUND = 1_024;

/** Items in as few portions as the API takes, in their order. */
export function portions<T>(items: readonly T[], most: Most): T[][] {
  const all: T[][] = [];
  let portion: T[] = [];
  let bytes = 0;
  for (const item of items) {
    const size = Buffer.byteLength(JSON.stringify(item)) + 1;
    if (portion.length && (portion.length >= most.items || bytes + size > most.bytes - AROUND)) {
      all.push(portion);
      portion = [];
      bytes = 0;
    }
    portion.push(item);
    bytes += size;
  }
  if (portion.length) all.push(portion);
  return all;
}
