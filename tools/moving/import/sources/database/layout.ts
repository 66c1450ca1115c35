/** The structure of a database, as far as it is needed to read its objects. */
export interface Layout {
  /** The columns of each table, by name, with the names of their types (`int8`, `_varchar` for an array). */
  tables: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** The numbers that stand for types of objects, by `<app>.<model>`. */
  types: ReadonlyMap<string, number>;
  /** The custom fields of each type of objects: the kind of each, by name. */
  customFields: ReadonlyMap<string, CustomFields>;
}

export type CustomFields = Readonly<Record<string, string>>;

/** Runs a query; rows as arrays. */
export type Ask = (sql: string, values?: unknown[]) => Promise<unknown[][]>;

/**
 * Read from the catalogue of PostgreSQL: information_schema hides what a role may not read, and that would be missed.
 */
const TABLES = `
  select c.relname::text, a.attname::text, t.typname::text
  from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
  where c.relnamespace = (select relnamespace from pg_class where oid = to_regclass('django_content_type'))
    and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
  order by c.relname, a.attnum`;

const TYPES = `select app_label || '.' || model, id from django_content_type`;

const CUSTOM_FIELDS = `
  select app_label || '.' || model, json_object_agg(f.name, f.type)
  from extras_customfield f join extras_customfield_object_types o on o.customfield_id = f.id
    join django_content_type t on t.id = o.contenttype_id
  group by 1`;

/** @throws Error when the database is not that of a NetBox */
export async function layoutOf(ask: Ask, name: string): Promise<Layout> {
  const tables = new Map<string, Map<string, string>>();
  for (const [table, column, type] of (await ask(TABLES)) as string[][]) {
    const known = tables.get(table!);
    if (known) known.set(column!, type!);
    else tables.set(table!, new Map([[column!, type!]]));
  }
  const missing = ['django_content_type', 'extras_customfield', 'dcim_site'].find((table) => !tables.has(table));
  if (missing !== undefined) throw new Error(`${name} is not the database of a NetBox: it has no table ${missing}.`);
  return {
    tables,
    types: new Map((await ask(TYPES)) as [string, number][]),
    customFields: new Map((await ask(CUSTOM_FIELDS)) as [string, CustomFields][]),
  };
}
