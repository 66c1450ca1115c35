/**
 * Computes a value once for each key; for values that depend only on something immutable, such as a model's
 * declaration.
 */
export function oncePer<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { value: Value }>();
  return (key) => {
    let found = known.get(key);
    if (!found) known.set(key, (found = { value: make(key) }));
    return found.value;
  };
}

/** The most texts that are cached: some names come from users, who can create any number of them. */
const MOST = 5_000;

/** The same for texts as keys. */
export function oncePerText<Value>(make: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    let found = known.get(text);
    if (found === undefined) {
      found = make(text);
      if (known.size >= MOST) known.clear();
      known.set(text, found);
    }
    return found;
  };
}
