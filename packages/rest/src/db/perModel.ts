import type { Model } from '@cadastre/model';
import type { Tables } from './tables.ts';

/** Makes something once for each model of a service, such as the text of a statement. */
export function perModel<T>(make: (tables: Tables, model: Model) => T): (tables: Tables, model: Model) => T {
  const made = new WeakMap<Tables, Map<Model, T>>();
  return (tables, model) => {
    let known = made.get(tables);
    if (!known) made.set(tables, (known = new Map()));
    let one = known.get(model);
    if (one === undefined) known.set(model, (one = make(tables, model)));
    return one;
  };
}
