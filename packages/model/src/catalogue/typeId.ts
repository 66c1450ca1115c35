/** Number of an object type: stable without a registry, as it is made from the name (FNV-1a, 31 bits). */
export function typeId(type: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(type)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash & 0x7fffffff;
}
