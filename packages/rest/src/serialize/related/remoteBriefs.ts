import { type Catalogue, columnName, type Form, members, type Model, typeId } from '@cadastre/model';
import { compileForm, type Writer } from '../writer.ts';
import { Unreachable } from '../../peers/peers.ts';
import { Brief } from '../../cache/cache.ts';
import { shownIn } from '../../cache/embedders.ts';
import { loadThroughCache } from '../../cache/loadThroughCache.ts';
import type { ReadContext } from './readContext.ts';
import { rowsOf } from '../../db/sql.ts';
import type { Tables } from '../../db/tables.ts';

/** Stands for the server's address in cached texts; PostgreSQL cannot hold the character, so no value contains it. */
export const BASE_MARK = '\0';

const writers = new WeakMap<Catalogue, Map<string, Writer>>();

export function formWriter(catalogue: Catalogue, model: Model, form: Form): Writer {
  let known = writers.get(catalogue);
  if (!known) writers.set(catalogue, (known = new Map()));
  const key = `${model.name} ${form}`;
  let writer = known.get(key);
  if (!writer) known.set(key, (writer = compileForm(catalogue, model, form)));
  return writer;
}

/** Whether a form of a model shows something that no table here has, so that the owner is asked what objects look like. */
export const isRemote = (tables: Tables, model: Model, form: Form = 'brief'): boolean =>
  !tables.holds(model.name, formWriter(tables.catalogue, model, form).columns);

/**
 * How the brief forms of such objects are known. `event`: they show nothing but what clients write to the objects
 * themselves, so they are as in their last events. `owner`: they show something of other objects, which may change
 * without them; the owner is asked, and the answer is remembered until one of those changes. `fleeting`: nothing tells
 * when an answer is no longer right, as they show something of a third service, whose changes may reach the owner later
 * than this service, or as this service gets no events about them (only a custom field points at them).
 */
export type RemoteBriefKind = 'event' | 'owner' | 'fleeting';

const kinds = new WeakMap<Catalogue, Map<string, RemoteBriefKind>>();

export function remoteBriefKindOf(
  { catalogue, keepsAnyObject }: Pick<Tables, 'catalogue' | 'keepsAnyObject'>,
  model: Model,
): RemoteBriefKind {
  if (!keepsAnyObject) return 'fleeting';
  let known = kinds.get(catalogue);
  if (!known) kinds.set(catalogue, (known = new Map()));
  let telling = known.get(model.name);
  if (!telling) known.set(model.name, (telling = findKind(catalogue, model)));
  return telling;
}

function findKind(catalogue: Catalogue, model: Model): RemoteBriefKind {
  const shown = shownIn(catalogue, model, members(model, 'brief'));
  const owner = catalogue.serviceOf(model.name);
  if (shown.some((type) => type === '*' || catalogue.serviceOf(type) !== owner)) return 'fleeting';
  const written = new Set([
    'id',
    ...Object.entries(model.fields).flatMap(([name, field]) =>
      field.column && !field.readOnly ? [columnName(name, field)] : [],
    ),
  ]);
  return shown.length || formWriter(catalogue, model, 'brief').columns.some((column) => !written.has(column))
    ? 'owner'
    : 'event';
}

/** How many objects the owner is asked about at once. */
const ASKED = 1000;

/**
 * Brief forms of objects that show something that no table here has. One statement, or one call to their owner; where
 * the owner cannot be asked, they are as in their last events.
 */
export async function remoteBriefs(
  readContext: ReadContext,
  type: string,
  ids: readonly string[],
): Promise<Map<string, Brief>> {
  const { tables, cache } = readContext;
  const { catalogue } = tables;
  const telling = remoteBriefKindOf(tables, catalogue.get(type));
  const region = cache.briefs(type, 'brief');
  const name = `${type} brief`;
  if (telling === 'event')
    return loadThroughCache(readContext, name, region, ids, (missing) => keptBriefs(readContext, type, missing));
  const found = await loadThroughCache(
    readContext,
    name,
    region,
    ids,
    (missing) => askOwner(readContext, type, missing),
    {
      uncacheable: telling === 'fleeting',
    },
  );
  if (telling === 'fleeting' && readContext.uncacheable) readContext.uncacheable.seen = true;
  // An object that the owner no longer has is shown until the event of its deletion has been followed.
  const missing = ids.filter((id) => !found.has(id));
  if (missing.length && tables.keepsAnyObject)
    for (const [id, brief] of await keptBriefs(readContext, type, missing)) found.set(id, brief);
  return found;
}

async function askOwner(
  { tables, peers, uncacheable }: ReadContext,
  type: string,
  ids: readonly string[],
): Promise<Map<string, Brief>> {
  const found = new Map<string, Brief>();
  const cut = cutter(tables, type);
  try {
    for (let at = 0; peers && at < ids.length; at += ASKED) {
      for (const [id, text] of await peers.briefs(
        tables.catalogue.serviceOf(type)!,
        type,
        ids.slice(at, at + ASKED).map(Number),
      ))
        found.set(String(id), cut(text));
    }
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    if (uncacheable) uncacheable.seen = true;
  }
  return found;
}

/** Brief forms as change events told them last. */
async function keptBriefs(
  { tables, executor }: ReadContext,
  type: string,
  ids: readonly string[],
): Promise<Map<string, Brief>> {
  // The event shows what the object is about, which not every reader may know.
  if (formWriter(tables.catalogue, tables.catalogue.get(type), 'brief').needs.some(({ kind }) => kind === 'about'))
    return new Map();
  const rows = await rowsOf(executor, {
    text: 'select id, brief::text from replica.any_object where type = $1 and id = any($2::bigint[])',
    values: [typeId(type), ids],
  });
  const cut = cutter(tables, type);
  return new Map(rows.map(([id, text]) => [id!, cut(text!)]));
}

/**
 * Makes briefs of texts without the address of the server, cut where that stands. A quotation mark inside a value is
 * escaped, so only the members themselves are found.
 */
function cutter({ catalogue }: Tables, type: string): (text: string) => Brief {
  const files = Object.entries(catalogue.get(type).fields).flatMap(([name, field]) => (field.upload ? [name] : []));
  const addresses = new RegExp(`"(${['url', 'display_url', ...files].join('|')})":( ?)"/`, 'g');
  return (text) => new Brief(text.replace(addresses, `"$1":$2"${BASE_MARK}/`).split(BASE_MARK));
}
