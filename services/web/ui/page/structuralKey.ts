const numbers = new WeakMap<object, number>();
let last = 0;

/** A number for each object that is compared by identity: a model, a function, cached HTML. */
function identityOf(thing: object): number {
  let number = numbers.get(thing);
  if (number === undefined) numbers.set(thing, (number = last += 1));
  return number;
}

const isPlain = (thing: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(thing);
  return prototype === Object.prototype || prototype === null;
};

/**
 * A text that is the same for two values only if they are equal: texts, numbers, lists and dictionaries are compared by
 * content, parameters of an address as they are written, and everything else by identity.
 */
export function structuralKey(value: unknown): string {
  if (typeof value === 'string') return `${value.length}"${value}`;
  if (typeof value === 'function') return `#${identityOf(value)}`;
  if (typeof value !== 'object' || value === null) return `${typeof value} ${String(value)}`;
  let text = '';
  if (Array.isArray(value)) {
    for (const one of value) text += `${structuralKey(one)},`;
    return `[${text}]`;
  }
  if (value instanceof URLSearchParams) return `?${structuralKey(value.toString())}`;
  if (!isPlain(value)) return `#${identityOf(value)}`;
  for (const [name, one] of Object.entries(value)) text += `${structuralKey(name)}:${structuralKey(one)},`;
  return `{${text}}`;
}
