// Objects of models in templates: what a template needs beyond the given data is noted, loaded by the host all at once,
// and the template is run again. The worker has no access to anything: what it gets is JSON, and so is what it asks
// for.
import type { Callable } from '../values/arguments.ts';
import type { Models, Shape, Want } from '../jobs/jobs.ts';
import { managed, managerMethods } from './managers.ts';
import {
  type Dict,
  withBehaviour,
  isDict,
  behaviourOf,
  type TypeBehaviour,
  own,
  Special,
  text,
} from '../values/values.ts';

/** Stands for what is not loaded yet: every member of it is empty. What was rendered with it is thrown away. */
class Unknown extends Special {
  override readonly empty = true;
  override readonly call = (): unknown => this;
  override get(): unknown {
    return this;
  }
  override method(): Callable {
    return () => this;
  }
}

const isChoice = (value: Dict): boolean =>
  Object.hasOwn(value, 'value') && Object.hasOwn(value, 'label') && Object.keys(value).length === 2;

/** A choice is printed as its value wherever a text is wanted. */
const choice: TypeBehaviour = {
  get: (_key, found) => found,
  method: () => undefined,
  plain: (value) => (value as Dict)['value'],
  word: (value) => text((value as Dict)['value']),
};

const displayOf = (value: Dict): string => text(value['display'] ?? value['name'] ?? '');

/** The objects that one rendering knows, and what it has asked for. */
export class ModelContext {
  readonly wants: Want[] = [];
  readonly #asked = new Set<string>();
  readonly #unknown = new Unknown();
  readonly #models: Models;
  readonly #natures = new Map<string, TypeBehaviour>();

  constructor(models: Models) {
    this.#models = models;
  }

  /** Gives the variables of a template that are objects, or lists of them, their fields and relations. */
  bind(context: Dict): void {
    for (const [name, { type, many }] of Object.entries(this.#models.roots)) {
      const value = own(context, name);
      if (many ? Array.isArray(value) : isDict(value))
        this.#wrap(value, many ? { to: type, many: true } : { to: type });
    }
  }

  #want(want: Want): void {
    if (want[0] !== 'type' && !(Number.isSafeInteger(want[2]) && want[2] > 0)) return;
    const key = want.join(' ');
    if (this.#asked.has(key)) return;
    if (this.wants.length >= this.#models.maxWants)
      throw new Error(`a template may ask for at most ${this.#models.maxWants} related objects`);
    this.#asked.add(key);
    this.wants.push(want);
  }

  #shape(type: string): Shape | undefined {
    const shape = own(this.#models.types, type) as Shape | null | undefined;
    if (shape === undefined) this.#want(['type', type]);
    return shape ?? undefined;
  }

  #wrap(value: unknown, field: { to?: string; many?: boolean }): unknown {
    if (typeof value !== 'object' || value === null || behaviourOf(value)) return value;
    if (Array.isArray(value)) {
      if (!field.to) return value;
      for (const item of value) this.#wrap(item, { to: field.to });
      return withBehaviour(value, this.#list(false));
    }
    if (field.to && isDict(value) && Number.isInteger(own(value, 'id')))
      return withBehaviour(value, this.#objectOf(field.to));
    return isDict(value) && isChoice(value) ? withBehaviour(value, choice) : value;
  }

  #list(pending: boolean): TypeBehaviour {
    const key = pending ? ' pending' : ' list';
    let nature = this.#natures.get(key);
    if (!nature) {
      nature = {
        get: (_key, found) => found,
        method: (name, list) => {
          const method = managerMethods.get(name);
          if (!method) return undefined;
          if (!pending) return (...args) => this.#again(method(list as unknown[], args));
          return () => (managed.has(name) ? withBehaviour([], this.#list(true)) : this.#unknown);
        },
        missing: (name) =>
          `lists of related objects have no method '${name}' in templates; they have ${[...managerMethods.keys()].sort().join(', ')}`,
      };
      this.#natures.set(key, nature);
    }
    return nature;
  }

  /** A list that a method of a manager returns has these methods, too. */
  #again(value: unknown): unknown {
    return Array.isArray(value) && !behaviourOf(value) ? withBehaviour(value, this.#list(false)) : value;
  }

  #objectOf(type: string): TypeBehaviour {
    let nature = this.#natures.get(type);
    if (!nature) {
      nature = {
        get: (key, found, target) => this.#attribute(type, target as Dict, key, found),
        method: (name, target) => this.#display(type, target as Dict, name),
        plain: (target) => displayOf(target as Dict),
        word: (target) => displayOf(target as Dict),
        inList: (target) => `<${this.#shape(type)?.className ?? type}: ${displayOf(target as Dict)}>`,
        is: (a, b) => behaviourOf(b) === this.#natures.get(type) && (a as Dict)['id'] === (b as Dict)['id'],
        missing: (name) =>
          `'${name}' is not available: templates know the fields of a ${this.#shape(type)?.label ?? type}, what refers to it, and get_<field>_display()`,
      };
      this.#natures.set(type, nature);
    }
    return nature;
  }

  #attribute(type: string, target: Dict, key: string, found: unknown): unknown {
    const shape = this.#shape(type);
    if (!shape) return found ?? this.#unknown;
    if (found !== undefined) return this.#wrap(found, this.#fieldOf(shape, target, key));
    if (key === 'pk') return target['id'];
    const alias = own(shape.aliases, key);
    if (typeof alias === 'string') return own(target, alias);
    if (Object.hasOwn(shape.back, key)) return this.#related(type, target['id'] as number, key);
    const through = key.endsWith('_id') ? key.slice(0, -3) : '';
    if (through && Object.hasOwn(shape.fields, through)) {
      const held = own(target, through);
      return own(held, 'id') ?? (isDict(held) || held === this.#unknown ? this.#unknown : held);
    }
    if (!Object.hasOwn(shape.fields, key)) return undefined;
    const whole = this.#object(type, target['id'] as number);
    // A field that is not among those of a loaded object, as it is shown only on request, is missing.
    return whole === this.#unknown ? whole : isDict(whole) && whole !== target ? own(whole, key) : undefined;
  }

  #fieldOf(shape: Shape, target: Dict, key: string): { to?: string; many?: boolean } {
    const field = own(shape.fields, key) as { to?: string; typeField?: string } | undefined;
    if (!field?.typeField) return field ?? {};
    const type = target[field.typeField];
    return typeof type === 'string' ? { to: type } : {};
  }

  /** All fields of an object; null when it does not exist or may not be viewed. */
  #object(type: string, id: number): unknown {
    const known = own(this.#models.objects, `${type} ${id}`);
    if (known === undefined) {
      this.#want(['object', type, id]);
      return this.#unknown;
    }
    return this.#wrap(known, { to: type });
  }

  #related(type: string, id: number, name: string): unknown {
    const list = own(this.#models.lists, `${type} ${id} ${name}`) as number[] | undefined;
    const from = own(own(this.#models.types, type), 'back') as Shape['back'];
    if (!list) {
      this.#want(['list', type, id, name]);
      return withBehaviour([], this.#list(true));
    }
    return this.#wrap(
      list.flatMap((each) => {
        const object = this.#object(from[name]!, each);
        return isDict(object) ? [object] : [];
      }),
      { to: from[name]!, many: true },
    );
  }

  /** `get_status_display()` */
  #display(type: string, target: Dict, name: string): Callable | undefined {
    const field = /^get_(\w+)_display$/.exec(name)?.[1];
    if (!field) return undefined;
    return () => {
      const value = this.#attribute(type, target, field, own(target, field));
      return isDict(value) && isChoice(value) ? own(value, 'label') : value;
    };
  }
}
