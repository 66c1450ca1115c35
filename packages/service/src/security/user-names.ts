/**
 * What two spellings of a user's name have in common that differ by case alone. Some letters become another one that way,
 * and are not the same name for it: the Kelvin sign in small is k, İ in small begins with i. A name with such a letter
 * stands for itself alone.
 */
export function caselessName(name: string): string {
  const small = name.toLowerCase();
  return small.toUpperCase() === name.toUpperCase() ? small : name;
}
