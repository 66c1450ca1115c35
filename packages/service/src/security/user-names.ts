/**
 * The common form of all spellings of a user name that differ by case alone. Some letters turn into another letter that
 * way, and must not count as the same name: the Kelvin sign becomes k in lower case, and İ becomes i with a combining
 * dot. A name with such a letter only matches itself.
 */
export function caselessName(name: string): string {
  const small = name.toLowerCase();
  return small.toUpperCase() === name.toUpperCase() ? small : name;
}
