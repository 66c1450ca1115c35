import { randomInt } from 'node:crypto';
import { apiPath, type Catalogue, type Field, type Json, type Model } from '@cadastre/model';
import type { Answer, Body, Client } from '../client.ts';
import { nextMac, nextNetwork, unique } from '../unique.ts';

type Values = Record<string, Json>;
interface Schema {
  type?: string | string[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  enum?: Json[];
  items?: Schema;
}

type Make = (path: string, body: unknown) => Promise<Body>;

const parentType = async (maker: Maker, make: Make): Promise<Body> =>
  make('/api/dcim/device-types/', {
    manufacturer: (await maker.one('dcim.manufacturer')).id,
    model: unique('bays'),
    slug: unique('bays'),
    subdevice_role: 'parent',
  });

/** Rules for objects that the declaration does not contain, but that the API enforces. */
const SPECIAL: Record<string, (maker: Maker, make: Make) => Promise<Values>> = {
  // Its terminations are not declared as fields.
  'dcim.cable': async (maker, make) => {
    const device = (await maker.one('dcim.device')).id;
    const end = async () => {
      const { id } = await make('/api/dcim/interfaces/', { device, name: unique('eth'), type: '1000base-t' });
      return [{ object_type: 'dcim.interface', object_id: id }];
    };
    return { a_terminations: await end(), b_terminations: await end() };
  },
  // It needs a termination, although neither of the two fields for it is required by itself.
  'circuits.circuittermination': async (maker) => ({
    termination_type: 'dcim.site',
    termination_id: (await maker.one('dcim.site')).id as number,
  }),
  // Only some device types have device bays.
  'dcim.devicebay': async (maker, make) => {
    const { id: device_type } = await parentType(maker, make);
    const { site, role } = await maker.one('dcim.device');
    const { id } = await make('/api/dcim/devices/', { device_type, role: role.id, site: site.id });
    return { device: id };
  },
  'dcim.devicebaytemplate': async (maker, make) => ({ device_type: (await parentType(maker, make)).id as number }),
};

/** The smallest possible picture. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

/** How often a body is corrected according to the API's refusal. */
const ATTEMPTS = 8;

/** Creates objects of any type from nothing but their declarations, together with the objects that these refer to. */
export class Maker {
  readonly #catalogue: Catalogue;
  readonly #client: Client;
  readonly #known = new Map<string, Promise<Body>>();
  #turn = 0;
  /** The offset of its addresses in 100.64.0.0/10. */
  readonly #addresses = randomInt(1, 2 ** 22 - 2 ** 16);

  constructor(catalogue: Catalogue, client: Client) {
    this.#catalogue = catalogue;
    this.#client = client;
  }

  /** An object for others to refer to; always the same for a type, so that the objects it refers to fit together. */
  one(type: string): Promise<Body> {
    let known = this.#known.get(type);
    if (!known) {
      known = this.#made(this.#catalogue.get(type), { full: false, given: {} }).then(({ made }) => made);
      this.#known.set(type, known);
    }
    return known;
  }

  /**
   * A new object, and the body that it was created from: with all possible fields, or only the required ones; `given`
   * values are used as they are.
   */
  make(model: Model, { full = true, given = {} as Values } = {}): Promise<{ body: Values; made: Body }> {
    return this.#made(model, { full, given });
  }

  /** A possible value of a field. */
  value(model: Model, name: string): Promise<Json | undefined> {
    return this.#value(model, name, model.fields[name]!);
  }

  /** Pictures are sent as a form, as JSON cannot hold any. */
  async #post(model: Model, body: Values): Promise<Answer> {
    const path = apiPath(model);
    const pictures = Object.keys(model.fields).filter(
      (name) => model.fields[name]!.upload?.folder && model.fields[name]!.required,
    );
    if (!pictures.length) return this.#client.post(path, body);
    const form = new FormData();
    for (const [name, value] of Object.entries(body)) form.set(name, String(value));
    for (const name of pictures) form.set(name, new Blob([new Uint8Array(PIXEL)], { type: 'image/png' }), 'pixel.png');
    const content = new Response(form);
    const type = content.headers.get('content-type')!;
    return this.#client.ask('POST', path, {
      raw: new Uint8Array(await content.arrayBuffer()),
      headers: { 'Content-Type': type },
    });
  }

  async #made(model: Model, { full, given }: { full: boolean; given: Values }): Promise<{ body: Values; made: Body }> {
    const fields = new Map(Object.entries(model.fields).filter((named) => isWritten(named)));
    const needed = [...fields].filter(([, field]) => field.required).map(([name]) => name);
    const special = {
      ...(await SPECIAL[model.name]?.(this, (path, body) => this.#client.make(path, body))),
      ...given,
    };
    // An object that can be a part of one of several others is a part of one of them: the first that it belongs to.
    const parts = [model.belongsTo ?? []].flat().filter((name) => model.fields[name]?.relation);
    if (!full && parts.length > 1 && !parts.some((name) => needed.includes(name) || name in given))
      needed.push(parts[0]!);
    const others = new Set(parts.length > 1 && model.displayPath === false ? parts.slice(1) : []);
    const named = (full ? [...fields.keys()] : needed).filter((name) => !others.has(name) && !(name in given));
    let body: Values = { ...(await this.#body(model, named)), ...special };
    let whole = full;
    const must = new Set(needed);
    for (let i = 0; ; i++) {
      const answer = await this.#post(model, body);
      if (answer.status === 201) return { body, made: answer.body };
      if (answer.status !== 400 || i === ATTEMPTS)
        throw new Error(`No ${model.name} could be made of ${JSON.stringify(body)}: ${answer.status} ${answer.text}`);
      const named = Object.keys(answer.body).filter((name) => fields.has(name) && !(name in given));
      const surplus = named.filter((name) => name in body && !fields.get(name)!.required);
      const lacking = named.filter((name) => !(name in body));
      const related = named.filter((name) => fields.get(name)!.relation);
      for (const name of lacking) must.add(name);
      if (surplus.length) for (const name of surplus) delete body[name];
      else if (lacking.length && !whole) body = { ...body, ...(await this.#body(model, lacking)) };
      else if (related.length && !whole) await this.#renew(model, body, related);
      else {
        body = {
          ...(await this.#body(
            model,
            [...must].filter((name) => !(name in given)),
          )),
          ...special,
        };
        // A refusal of the object as a whole means that such an object exists already.
        if (!whole)
          await this.#renew(
            model,
            body,
            [...must].filter((name) => !(name in given)),
          );
        whole = false;
      }
    }
  }

  /** Replaces references by ones to new objects, to which nothing else refers. */
  async #renew(model: Model, body: Values, names: readonly string[]): Promise<void> {
    for (const name of names) {
      const pair = Object.values(model.fields).find(({ generic }) => generic?.idField === name)?.generic;
      const to = pair ? String(body[pair.typeField]) : model.fields[name]!.relation?.to;
      if (to === undefined) continue;
      const { made } = await this.#made(this.#catalogue.get(to), { full: false, given: {} });
      if (!pair) this.#known.set(to, Promise.resolve(made));
      body[name] = made.id as number;
    }
  }

  /** A body for a second object of the kind with other values; references stay. */
  async again(model: Model, body: Values): Promise<Values> {
    const other = { ...body };
    for (const [name, { relation, generic, choices }] of Object.entries(model.fields))
      if (name in body && !relation && !generic && !choices && !pairOf(model, name))
        other[name] = (await this.#value(model, name, model.fields[name]!)) ?? body[name]!;
    return other;
  }

  async #body(model: Model, names: readonly string[]): Promise<Values> {
    const body: Values = {};
    for (const name of names) {
      const value = await this.#value(model, name, model.fields[name]!);
      if (value !== undefined) body[name] = value;
    }
    return body;
  }

  async #value(model: Model, name: string, field: Field): Promise<Json | undefined> {
    const { relation, choices, kind } = field;
    const schema = field.schema.write as Schema;
    const pair = pairOf(model, name);
    if (pair) {
      const to = (pair.to ?? [this.#likely()]).find((type) => type !== model.name)!;
      return name === pair.typeField ? to : ((await this.one(to)).id as number);
    }
    if (relation && !this.#catalogue.has(relation.to)) return undefined;
    if (relation) {
      // References to objects of the same type place it in a tree or in a parent: that is for another test.
      if (!field.required && (relation.many || relation.to === model.name)) return undefined;
      // References to objects that could be assigned to this one, and would be deleted with it.
      const target = this.#catalogue.get(relation.to);
      if (!field.required && Object.values(target.fields).some(({ generic }) => generic?.to?.includes(model.name)))
        return undefined;
      const id = (await this.one(relation.to)).id as number;
      return relation.many ? [id] : id;
    }
    if (kind === 'objectType') return this.#likely();
    if (kind === 'objectTypes') return [this.#likely()];
    if (choices) return kind === 'list' ? [choices[0]!.value] : choices[0]!.value;
    return this.#plain(kind, field, schema, name);
  }

  /** Addresses of one maker are consecutive, and rarely collide with those of others that share a system. */
  #address(): string {
    const at = this.#addresses + this.#turn;
    return `100.${64 + (at >> 16)}.${(at >> 8) & 255}.${at & 255}/10`;
  }

  #plain(kind: string, field: Field, schema: Schema, name: string): Json | undefined {
    this.#turn += 1;
    switch (kind) {
      case 'boolean':
        return field.default !== true;
      case 'integer':
      case 'decimal': {
        const [least, most] = [Math.max(schema.minimum ?? 1, 1), schema.maximum ?? 1_000_000];
        return field.required ? least + (this.#turn % (most - least + 1)) : Math.min(least, most);
      }
      case 'date':
        return '2026-01-02';
      case 'datetime':
        return '2036-01-02T03:04:05Z';
      case 'color':
        return '00ff7f';
      case 'url':
        return 'https://example.com/x?a=1&b=2';
      case 'email':
        return 'someone@example.com';
      case 'network':
        return `${nextNetwork().four}.0/24`;
      case 'ipAddress':
        return this.#address();
      case 'macaddr':
        return nextMac();
      case 'macaddr8':
        return '02:00:00:00:00:00:00:01';
      case 'timeZone':
        return 'Europe/Zurich';
      case 'json':
        return { a: [1, 'two'] };
      case 'choicePairs':
        return [
          ['a', 'A'],
          ['b', 'B'],
        ];
      case 'list':
        return [schema.items?.enum?.[0] ?? (schema.items?.type === 'integer' ? 1 : 'view')];
      case 'text':
      case 'slug':
        return textFor(name, field, schema);
      default:
        return undefined;
    }
  }

  /** A type that supports all features that a type can have. */
  #likely(): string {
    const types = [...this.#catalogue.models.values()].filter(({ readOnly, part }) => !readOnly && !part);
    return types.reduce((best, one) => (one.features.size > best.features.size ? one : best)).name;
  }
}

/** The generic relation that a field is the type or the id of. */
const pairOf = (model: Model, name: string) =>
  Object.values(model.fields).find(({ generic }) => generic && [generic.typeField, generic.idField].includes(name))
    ?.generic;

const isWritten = ([name, field]: readonly [string, Field]): boolean =>
  field.parse !== undefined && !field.readOnly && !field.hidden && !field.special && !name.startsWith('_');

function textFor(name: string, field: Field, schema: Schema): string {
  if (field.secret) return 'Correct-Horse-9';
  if (/url$/.test(name)) return 'https://example.com/';
  return unique(name.slice(0, 4))
    .replace('-', '_')
    .slice(0, schema.maxLength ?? 100);
}
