import type { About } from './definition/about.ts';
import type { Check } from './definition/check.ts';
import type { Display } from './definition/display.ts';
import type { Documents } from './definition/documents.ts';
import type { Effect, Follow } from './definition/effect.ts';
import type { Feature } from './definition/feature.ts';
import type { FormWords } from './definition/forms.ts';
import type { ImportWords } from './definition/imports.ts';
import type { Pages } from './definition/pages.ts';
import type { Prominent } from './definition/prominent.ts';
import type { Ahead, Guard, Need, Rule } from './definition/rule.ts';
import type { Cell, Field } from './fields/field.ts';
import { writeOwned } from './fields/owned.ts';
import { path, type Filter, type FilterSql, tree } from './filters/filter.ts';

/** How far reading without a permission may go; see `Definition.exempt`. */
export type Exempt = 'byName' | 'never';

export interface Unique {
  fields: string[];
  /** Those among the fields, texts, whose case does not count. */
  ignoreCase?: string[];
  /** SQL condition on the columns; rows outside it are not compared. */
  where?: string;
  /** The message; by default that of the reference for such a constraint. */
  message?: string;
  /** Key of the error: `__all__` unless said otherwise. */
  key?: string;
}

export interface Definition {
  /** Last part of the address, e.g. `site-groups`. */
  path: string;
  /** What people call one, in lower case: `site group`. */
  label: string;
  plural?: string;
  /** Name of its class, where that does not follow from the label: `VMInterface`. */
  className?: string;
  /** Fields in the order of the representation. */
  fields: Record<string, Field>;
  /**
   * Default order: field names, `-` for descending; `vrf_id nulls first` is by the id itself. Always made total by the
   * id. A tree without one is listed branch by branch.
   */
  ordering?: string[];
  brief: string[];
  /** Fields of the `nested` form (tree parents, tags …). */
  nested?: string[];
  features?: Feature[];
  /** Filters besides those that come by themselves, and `false` for those of them that it goes without. */
  filters?: Record<string, Filter | false>;
  /** Columns that `q` looks into, also of related objects: `contact.name`; `=vid` compares the whole value. */
  search?: string[];
  /** What else `q` finds: SQL of a condition, or undefined for what it cannot be. */
  searchBy?(context: FilterSql, text: string): string | undefined;
  /** Where there are too many objects to read them all: the fields that `q` looks into have an index of their parts. */
  searchIndex?: string[];
  display?: Display;
  unique?: Unique[];
  /**
   * What must be right before an object is looked at as a whole: while one of these has something to say, neither
   * uniqueness of sets nor rules are asked.
   */
  inputRules?: Rule[];
  rules?: Rule[];
  /** The same over all objects of a request at once. */
  checks?: Check[];
  /** Done before the transaction begins, so that nobody waits for its connection and its locks meanwhile. */
  ahead?: Ahead;
  needs?: Need[];
  /**
   * Says before anything else who may not delete some objects at all, by throwing Forbidden: nobody hears then what
   * hangs on them.
   */
  guard?: Guard;
  /** What follows from changes, in the same transaction. */
  effects?: Effect[];
  /** What follows from changes of other services' objects, by their type. */
  follows?: Record<string, Follow>;
  /**
   * Fields of other services' models that rules, effects and hand-written filters look at: the replicas here keep them.
   */
  reads?: Record<string, string[]>;
  /**
   * There are very many of its objects, and few of them matter to a service that shows or counts some: it keeps those
   * that point at something of its own, and those that are pointed at, unless its declarations look at others too.
   * Rules and hand-written filters there see only these.
   */
  keptInPart?: boolean;
  /** Parent field of a tree; `path` and `sort` columns are kept by the pipeline. */
  tree?: boolean;
  /**
   * Objects that are not shared are for one user only, and superusers: the field that says whose they are, and the
   * boolean that says that everybody may see them.
   */
  private?: { user: string; unless: string };
  /**
   * What its objects are about, where that may be an object of any type: they say of it only what the reader may know.
   */
  about?: About;
  /** Its objects are those who ask: of himself everybody may be told, by what is about him. */
  self?: boolean;
  /**
   * What `EXEMPT_VIEW_PERMISSIONS` cannot open to everybody: `byName` is about people or shows what belongs to other
   * objects, so `*` leaves it out; `never` holds secrets, or gives rights, and stays closed even when it is named.
   */
  exempt?: Exempt;
  /**
   * Its objects are secrets or rights: who has logged in to the pages must have proved lately who they are to make,
   * change or delete one.
   */
  confirms?: boolean;
  /**
   * The attribute by which filters of other models name one (`?tenant=acme`). A slug is one, and so is a name that no
   * two objects share; a name that they may share (a device's) only where it is said, as a value stands for all of them
   * then.
   */
  key?: string;
  /** Read only: nothing but list and detail. */
  readOnly?: boolean;
  /**
   * Its objects are made of the change events of all services; who reads them waits a moment for those that are on
   * their way.
   */
  fromEvents?: boolean;
  /** The type of event that its new objects are to event rules, besides `object_created`. */
  eventType?: string;
  /**
   * The field that says what the change records of these objects are about besides them: a reference or a generic
   * field, or the first of several that is not empty.
   */
  belongsTo?: string | string[];
  /**
   * A part of other objects, written with them (`owned`). `listed` parts can be read at an address of their own,
   * `hidden` ones have none.
   */
  part?: 'listed' | 'hidden';
  /** Columns that index together, in addition to those of the fields. */
  indexes?: string[][];
  /** Name of a table that its service makes and fills by itself: generated migrations leave it alone. */
  table?: string;
  /**
   * Path of the web page, when it is not `<app>/<path>`; false for objects that say of no page (no `display_url`).
   */
  displayPath?: string | false;
  /**
   * How its web pages show it, where that should not follow from the fields alone; false for what has no pages of its
   * own. Objects without a `display_url` can have pages: they are found by what they belong to.
   */
  pages?: Pages | false;
  /** Where people look for its objects first. */
  prominent?: Prominent;
  /** What its forms and imports do beyond what follows from the fields. */
  forms?: FormWords;
  /** What it is as a document with parts inside. */
  documents?: Documents;
  /** What files for import call things, beyond what follows from the fields. */
  imports?: ImportWords;
  /** Text before the id in `display` when nothing else is there. */
  events?: boolean;
}

export interface Model
  extends Omit<
    Definition,
    | 'table'
    | 'className'
    | 'ordering'
    | 'features'
    | 'filters'
    | 'display'
    | 'key'
    | 'plural'
    | 'search'
    | 'searchIndex'
    | 'unique'
    | 'inputRules'
    | 'rules'
    | 'checks'
    | 'effects'
    | 'follows'
    | 'indexes'
  > {
  /** `<app>.<model>`. */
  name: string;
  app: string;
  className: string;
  plural: string;
  table: string;
  ordering: string[];
  /** Whether the table is made by generated migrations. */
  migrated: boolean;
  features: Set<Feature>;
  filters: Record<string, Filter>;
  /** Names of filters that do not come although fields or features would bring them. */
  without: string[];
  display: Omit<Display, 'text'> & { text(cells: Cell[], related?: readonly (string | null)[]): string };
  key: string | undefined;
  /** Whether references to it bring a filter by its key. */
  namesOne: boolean;
  /** Optional fields that a PUT without them sets to what a create without them has; all others keep their value. */
  resets: string[];
  search: string[];
  searchIndex: string[];
  unique: Unique[];
  inputRules: Rule[];
  rules: Rule[];
  checks: Check[];
  effects: Effect[];
  follows: Record<string, Follow>;
  indexes: string[][];
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** A label as the reference's class name: `site group` → `SiteGroup`, `IP address` → `IPAddress`. */
const classNameOf = (label: string): string => label.split(/[ -]/).map(capital).join('');

/** A tree's rule: nothing lies below itself. */
const noLoop =
  (type: string, label: string): Rule =>
  async ({ id, parent }, context) =>
    context.before && typeof id === 'number' && typeof parent === 'number' && (await context.isBelow(type, parent, id))
      ? { parent: [`Cannot assign self or child ${label} as parent.`] }
      : undefined;

/** Names of models that are in use, with their declarations, for `catalogue`. */
export function model(name: string, d: Definition): Model {
  const [app, short] = name.split('.') as [string, string];
  const key = d.key ?? ['slug', 'name', 'username'].find((f) => f in d.fields);
  const declared = Object.fromEntries(
    Object.entries(d.filters ?? {}).filter((entry): entry is [string, Filter] => entry[1] !== false),
  );
  const first = Object.entries(d.fields).find(([, f]) => /^varchar\(\d+\)$/.test(f.column?.type ?? ''))?.[0];
  return {
    ...d,
    name,
    app,
    key,
    ordering: d.ordering ?? [],
    className: d.className ?? classNameOf(d.label),
    ...(d.part ? { readOnly: true } : {}),
    plural: d.plural ?? `${d.label}s`,
    table: d.table ?? `${app}_${short}`,
    migrated: d.table === undefined,
    features: new Set(d.features),
    fields: d.fields,
    filters: { ...derivedFilters(d), ...declared },
    without: Object.entries(d.filters ?? {}).flatMap(([filter, said]) => (said ? [] : [filter])),
    namesOne: key !== undefined && (d.key !== undefined || key === 'slug' || d.fields[key]?.column?.unique === true),
    display: d.display ?? { columns: [first ?? 'id'], text: ([cell]) => cell ?? '' },
    search: d.search ?? [],
    searchIndex: d.searchIndex ?? [],
    resets: resetsOf(d),
    unique: d.unique ?? [],
    inputRules: d.inputRules ?? [],
    rules: [...(d.tree ? [noLoop(name, d.label)] : []), ...(d.rules ?? [])],
    effects: [...writeOwned(d.fields), ...(d.effects ?? [])],
    follows: d.follows ?? {},
    checks: d.checks ?? [],
    indexes: d.indexes ?? [],
  };
}

/**
 * What a PUT is about is told apart by all members of a `unique` set, so those that it leaves out are empty, unless the
 * set is compared by hand (`ignoreCase`). Other fields keep their value, unless they say otherwise.
 */
function resetsOf(d: Definition): string[] {
  if (d.readOnly || d.part) return [];
  const identifying = new Set(
    (d.unique ?? []).flatMap(({ fields, ignoreCase }) => (fields.length > 1 && !ignoreCase ? fields : [])),
  );
  return Object.entries(d.fields).flatMap(([name, field]) =>
    field.column &&
    field.parse &&
    !field.required &&
    !field.readOnly &&
    !field.hidden &&
    (field.replaced ? field.replaced === 'reset' : identifying.has(name))
      ? [name]
      : [],
  );
}

/**
 * The filters that every field brings with it. Filters of references are completed by the catalogue, which knows the
 * other model.
 */
function derivedFilters(d: Definition): Record<string, Filter> {
  const filters: Record<string, Filter> = { id: { kind: 'column', field: 'id', family: 'number' } };
  for (const [name, field] of Object.entries(d.fields)) {
    if (field.lookups && !field.secret) filters[name] = { kind: 'column', field: name, family: field.lookups };
  }
  const features = new Set(d.features);
  if (features.has('timestamps')) {
    filters['created_by_request'] = { kind: 'request', actions: ['created'] };
    filters['updated_by_request'] = { kind: 'request', actions: ['updated'] };
    filters['modified_by_request'] = { kind: 'request', actions: ['created', 'updated'] };
  }
  if (d.search?.length || d.searchBy) filters['q'] = { kind: 'search' };
  if (features.has('tags'))
    Object.assign(filters, { tag: { kind: 'tag', by: 'slug' }, tag_id: { kind: 'tag', by: 'id' } });
  if ('owner' in d.fields)
    Object.assign(filters, { owner_group_id: path('owner.group'), owner_group: path('owner.group', 'name') });
  if (features.has('contacts')) {
    const assigned = '<tenancy.contactassignment.object';
    Object.assign(filters, {
      contact: path(`${assigned}/contact`),
      contact_role: path(`${assigned}/role`),
      contact_group: tree(`${assigned}/contact.groups`),
    });
  }
  return filters;
}
