/** What follows from something that does not change, such as a model's declaration, is found out once for each. */
export function oncePer<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { value: Value }>();
  return (key) => {
    let found = known.get(key);
    if (!found) known.set(key, (found = { value: make(key) }));
    return found.value;
  };
}

/** So many texts are remembered; names may come from people, who can make as many as they like. */
const MOST = 5_000;

/** The same of texts. */
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
