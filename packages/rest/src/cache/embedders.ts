import {
  type Catalogue,
  columnAt,
  type Field,
  type Form,
  listedBy,
  members,
  type Model,
  reachOf,
  viewOf,
} from '@cadastre/model';

/** Stands for objects of any type. */
const ANY = '*';

/** By type. */
type Embedders = Map<string, Set<string>>;

const known = new WeakMap<Catalogue, Embedders>();

/**
 * For each type, the types with a form or a display text that shows something of its objects, if only their number,
 * directly or through other objects.
 */
export function embedders(catalogue: Catalogue): Embedders {
  let all = known.get(catalogue);
  if (!all) known.set(catalogue, (all = findEmbedders(catalogue)));
  return all;
}

function findEmbedders(catalogue: Catalogue): Embedders {
  const direct: Embedders = new Map();
  const forms = formsOf(catalogue);
  const shows = (model: Model, types: Iterable<string>) => {
    for (const type of types) direct.set(type, (direct.get(type) ?? new Set()).add(model.name));
  };
  for (const model of catalogue.models.values()) {
    for (const form of forms.get(model.name)!)
      for (const name of members(model, form)) shows(model, shownBy(catalogue, model, model.fields[name]));
    for (const chain of model.display.related ?? []) along(catalogue, model, chain, (types) => shows(model, types));
  }
  const closed: Embedders = new Map();
  for (const type of catalogue.models.keys()) {
    const all = new Set<string>();
    const queue = [type];
    for (let at = queue.pop(); at !== undefined; at = queue.pop())
      for (const other of [...(direct.get(at) ?? []), ...(direct.get(ANY) ?? [])])
        if (!all.has(other)) {
          all.add(other);
          queue.push(other);
        }
    if (all.size) closed.set(type, all);
  }
  return closed;
}

/**
 * The types of which members of a model's objects show something, directly or through others; `*` when it may be any.
 */
export function shownIn(catalogue: Catalogue, model: Model, names: readonly string[]): string[] {
  const direct = new Set(names.flatMap((name) => shownBy(catalogue, model, model.fields[name])));
  for (const name of names) {
    const field = model.fields[name];
    if (field?.batched) direct.add(model.name);
    if (field?.special === 'customFields')
      for (const type of ['extras.customfield', 'extras.customfieldchoiceset']) direct.add(type);
    if (field?.owned) {
      const view = viewOf(field.owned);
      for (const member of Object.keys(view.fields))
        for (const type of shownBy(catalogue, view, view.fields[member])) direct.add(type);
    }
  }
  if (names.includes('display'))
    for (const chain of model.display.related ?? [])
      along(catalogue, model, chain, (types) => {
        for (const type of types) direct.add(type);
      });
  if (direct.has(ANY)) return [ANY];
  const within = [...embedders(catalogue)].flatMap(([type, others]) =>
    direct.has(type) || [...direct].some((other) => others.has(other)) ? [type] : [],
  );
  return [...new Set([...direct, ...within])];
}

/** The forms in which objects of each type are shown somewhere. */
function formsOf(catalogue: Catalogue): Map<string, Set<Form>> {
  const forms = new Map([...catalogue.models.keys()].map((type) => [type, new Set<Form>(['brief', 'nested'])]));
  for (const model of catalogue.models.values()) {
    for (const { relation, reverse } of Object.values(model.fields)) {
      if (relation) forms.get(relation.to)?.add(relation.form);
      if (reverse) forms.get(reverse.from)?.add(reverse.form);
    }
  }
  return forms;
}

/** The types that decide which referring objects a field counts or lists, and in which order. */
export function shownOver(catalogue: Catalogue, field: Field): string[] {
  const listed = listedBy(field);
  return [...catalogue.countedOver(field), ...(listed ? catalogue.orderedBy(listed).keys() : [])];
}

/** The types of which a member shows something. */
function shownBy(catalogue: Catalogue, model: Model, field: Field | undefined): string[] {
  if (field?.firstOf) return field.firstOf.flatMap((name) => shownBy(catalogue, model, model.fields[name]));
  if (field?.batched) return [...field.batched.from, ...(field.batched.links ? (field.batched.links.to ?? [ANY]) : [])];
  if (field?.generic) return [...(field.generic.to ?? [ANY])];
  return [
    ...(field?.relation ? [field.relation.to] : []),
    ...(field ? shownOver(catalogue, field) : []),
    ...(field?.reverse?.cumulative ? [model.name] : []),
  ];
}

/** The types that a chain of references leads through: any object along it may be replaced by another. */
function along(catalogue: Catalogue, model: Model, chain: string, shows: (types: readonly string[]) => void): void {
  const { to, rest } = reachOf(model, chain);
  shows(to ?? [ANY]);
  if (rest)
    for (const type of to ?? [])
      if (catalogue.has(type) && !columnAt(catalogue.get(type), rest))
        along(catalogue, catalogue.get(type), rest, shows);
}
