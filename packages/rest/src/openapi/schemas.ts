import {
  type Batched,
  type Catalogue,
  type Field,
  type Form,
  members,
  type Model,
  type Owned,
  type Schema,
  viewOf,
} from '@cadastre/model';
import { anyBrief, arrayOf, attributes, orNull, record, refTo } from './shapes.ts';

/** Members that are not fields. */
const HEAD: Record<string, Schema> = {
  id: { type: 'integer' },
  url: { type: 'string', format: 'uri' },
  display_url: { type: 'string', format: 'uri' },
  display: { type: 'string' },
};

/** Related objects that are shown by one value. */
const PLAIN_FORMS: Record<string, Schema> = { id: { type: 'integer' }, key: { type: 'string' } };

const NAMES: Record<string, (name: string) => string> = {
  brief: (name) => `Brief${name}`,
  nested: (name) => `Nested${name}`,
};

/**
 * The schemas of the forms in which objects are shown and written, each once under its name, together with all that
 * they refer to. What one service says of another's objects follows from the same declarations, so it is the same
 * there.
 */
export class Schemas {
  readonly named: Record<string, Schema> = {};
  readonly #catalogue: Catalogue;

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  /** An object that was asked for itself. No member is required: `fields`, `omit` and `brief` leave members out. */
  whole(model: Model): Schema {
    return this.#name(model.className, () => ({ type: 'object', properties: this.#properties(model, 'nameable') }));
  }

  /** An object inside another one, always with the same members. */
  inside(model: Model, form: Form): Schema {
    const plain = PLAIN_FORMS[form];
    if (plain) return plain;
    const schema = () => record(this.#properties(model, form));
    const name = NAMES[form]?.(model.className);
    return name ? this.#name(name, schema) : schema();
  }

  /** What a create or a full update takes, or with `partial` one that changes what is given. */
  written(model: Model, partial = false): Schema {
    return this.#name(`${partial ? 'Patched' : ''}${model.className}Request`, () => {
      const writable = Object.entries(model.fields).filter(([, f]) => (f.parse || f.owned) && !f.readOnly && !f.hidden);
      const properties = Object.fromEntries(writable.map(([name, f]) => [name, this.#write(f)]));
      if (model.features.has('changeLogging')) properties['changelog_message'] = { type: 'string', maxLength: 200 };
      if (model.features.has('tags'))
        Object.assign(properties, { add_tags: arrayOf(reference(false)), remove_tags: arrayOf(reference(false)) });
      return record(properties, partial ? [] : writable.filter(([, f]) => f.required).map(([name]) => name));
    });
  }

  /** Names a schema. One that refers to itself finds its name taken already. */
  #name(name: string, schema: () => Schema): Schema {
    if (!this.named[name]) {
      this.named[name] = {};
      this.named[name] = schema();
    }
    return refTo(name);
  }

  #properties(model: Model, form: Form | 'complete' | 'nameable'): Record<string, Schema> {
    return Object.fromEntries(
      members(model, form).map((name): [string, Schema] => {
        const field = model.fields[name];
        if (!field) return [name, HEAD[name] ?? {}];
        const schema = this.#read(model, (form === 'nested' && field.inNested) || field, form === 'nested');
        return [name, field.help ? { ...schema, description: field.help } : schema];
      }),
    );
  }

  /**
   * How a field is read; with `nested`, in a form in which related objects are in theirs, as the writer prints them.
   */
  #read(model: Model, field: Field, nested = false): Schema {
    const { relation, reverse, batched } = field;
    if (field.owned) return arrayOf(this.#owned(field.owned));
    if (relation)
      return this.#related(
        relation.to,
        nested && relation.form === 'brief' ? 'nested' : relation.form,
        relation.many,
        field.nullable,
      );
    if (reverse && reverse.as !== 'count')
      return this.#related(reverse.from, reverse.form, reverse.as === 'list', reverse.as === 'one');
    if (batched?.links) return this.#linked(batched.links, batched.empty === 'null');
    if (field.firstOf)
      return orNull(this.#read(model, { ...model.fields[field.firstOf[0]!]!, nullable: false }, nested));
    if (field.generic) return field.nullable ? orNull(anyBrief) : anyBrief;
    return field.schema.read;
  }

  /** A related object. Types that do not exist yet get a general schema, as there are no objects of them. */
  #related(type: string, form: Form, many: boolean, nullable: boolean): Schema {
    const one = this.#catalogue.has(type)
      ? this.inside(this.#catalogue.get(type), form)
      : (PLAIN_FORMS[form] ?? anyBrief);
    return many ? arrayOf(one) : nullable ? orNull(one) : one;
  }

  #linked({ many, form, to, members: further = [] }: NonNullable<Batched['links']>, nullable: boolean): Schema {
    const known = to?.filter((type) => this.#catalogue.has(type)) ?? [];
    const [first] = known;
    const one = first && known.length === 1 + further.length ? this.#related(first, form, false, false) : anyBrief;
    const inside = Object.fromEntries(
      further.map((name, i) => [
        name,
        known[i + 1] ? this.#related(known[i + 1]!, form, false, true) : orNull(anyBrief),
      ]),
    );
    const shown = further.length ? { allOf: [one, record(inside)] } : one;
    const all = many ? arrayOf(shown) : shown;
    return nullable ? orNull(all) : all;
  }

  #owned(list: Owned): Schema {
    const view = viewOf(list);
    return record(
      Object.fromEntries(Object.entries(list.members).map(([name, of]) => [name, this.#read(view, view.fields[of]!)])),
    );
  }

  #write(field: Field): Schema {
    const { relation, reverse, owned, schema } = field;
    if (owned) {
      const { fields } = owned.from;
      const writable = Object.entries(owned.members).filter(([, of]) => fields[of]!.parse && !fields[of]!.readOnly);
      return arrayOf(
        record(
          Object.fromEntries(writable.map(([name, of]) => [name, this.#write(fields[of]!)])),
          writable.filter(([, of]) => fields[of]!.required).map(([name]) => name),
        ),
      );
    }
    if (!relation && !reverse) return schema.write;
    const shown =
      relation?.many || reverse ? arrayOf(reference(false, relation?.form === 'key')) : reference(field.nullable);
    return field.help ? { ...shown, description: field.help } : shown;
  }
}

/** A related object as it is written. */
const reference = (nullable: boolean, byKey = false): Schema => ({
  anyOf: [
    ...(byKey ? [{ type: 'string' }] : []),
    { type: 'integer' },
    attributes,
    ...(nullable ? [{ type: 'null' }] : []),
  ],
});
