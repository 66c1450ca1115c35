import type { Catalogue, Json, Model } from '@cadastre/model';
import { apiPath, isDict } from '@cadastre/model';
import { tagsWidget } from '../../../services/web/features/form/schema/tagsWidget.ts';
import { calledBy } from '../../../services/web/features/import/columns/called.ts';
import { type FileColumn, fileColumns } from '../../../services/web/features/import/columns/fileColumns.ts';
import { widgetsOf } from '../../../services/web/schema/widgets.ts';
import type { Body, Client } from '../client.ts';
import type { Maker } from './maker.ts';

export type Values = Record<string, Json>;

/** A row of an import file that has a value in a column. */
export interface ImportRow {
  column: string;
  cells: Record<string, string>;
  /** The body with which the API creates the same object. */
  body: Values;
  /** The object that the API creates from that. */
  made: Body;
  /** Where the row affects another object: the object that refers to the row's one, and by which field. */
  marked: ((made: Body) => { path: string; field: string }) | undefined;
  /**
   * The same row with another object in the column, where the column only limits where other columns look for objects.
   */
  elsewhere: Record<string, string> | undefined;
}

/** Other values that a column needs, by column: values of fields, or of other columns. */
export type Beside = Readonly<Record<string, Values | ((maker: Maker) => Promise<Values>)>>;

interface Draft {
  column: string;
  cells: Record<string, string>;
  given: Values;
  /** Objects that columns refer to. */
  ids: Record<string, number>;
  objects: Map<string, { type: string; object: Body }>;
}

/** Rows for the columns of a model's files, derived from the declarations alone. */
export class ImportRows {
  readonly columns: ReadonlyMap<string, FileColumn>;
  readonly #model: Model;
  readonly #catalogue: Catalogue;
  readonly #client: Client;
  readonly #maker: Maker;
  readonly #beside: Beside;
  #usual: Values = {};
  /** Objects that columns refer to, by path. */
  readonly #known = new Map<string, Body>();

  constructor(model: Model, catalogue: Catalogue, client: Client, maker: Maker, beside: Beside) {
    const tags = model.features.has('tags') ? tagsWidget(catalogue) : undefined;
    this.columns = fileColumns({ own: widgetsOf(model, catalogue), tags, custom: [] }, model, catalogue);
    this.#model = model;
    this.#catalogue = catalogue;
    this.#client = client;
    this.#maker = maker;
    this.#beside = beside;
  }

  /** A row for each column; `untold` is called with each column without a row, and why. */
  async rows(untold: (column: string, why: string) => void): Promise<ImportRow[]> {
    const { body, made } = await this.#maker.make(this.#model, { full: false });
    this.#usual = body;
    await removeAll(this.#client, this.#model, [made]);
    const drafts: Draft[] = [];
    // Pictures are separate files.
    for (const { name, widget } of this.columns.values())
      if (widget?.kind !== 'file')
        await this.#draft(name).then(
          (draft) => drafts.push(draft),
          (error: Error) => untold(name, error.message),
        );
    const rows: ImportRow[] = [];
    for (const { draft, ...one } of await this.#made(drafts, untold)) rows.push(await this.#row(draft, one));
    return rows;
  }

  /** Creates the same objects by the API, and deletes them again. */
  async #made(
    drafts: readonly Draft[],
    untold: (column: string, why: string) => void,
  ): Promise<{ draft: Draft; body: Values; made: Body }[]> {
    const bodies: Values[] = [];
    for (const { given } of drafts) bodies.push(await this.#maker.again(this.#model, { ...this.#usual, ...given }));
    for (const [i, { given }] of drafts.entries()) Object.assign(bodies[i]!, given);
    const { status, body } = await this.#client.post(apiPath(this.#model), bodies);
    const all: { draft: Draft; body: Values; made: Body }[] = [];
    if (status === 201) all.push(...drafts.map((draft, i) => ({ draft, body: bodies[i]!, made: body[i] })));
    // One by one: of types that are not imported this way, what exists already is made in another way.
    else
      for (const draft of drafts)
        await this.#maker.make(this.#model, { full: false, given: draft.given }).then(
          (one) => all.push({ draft, ...one }),
          (error: Error) => untold(draft.column, error.message),
        );
    return this.#gone(all, untold);
  }

  /** The rows whose objects can be deleted, so that the import can create them again. */
  async #gone<One extends { draft: Draft; made: Body }>(
    all: readonly One[],
    untold: (column: string, why: string) => void,
  ): Promise<One[]> {
    const remove = (some: readonly One[]): Promise<void> =>
      removeAll(
        this.#client,
        this.#model,
        some.map(({ made }) => made),
      );
    try {
      if (all.length) await remove(all);
      return [...all];
    } catch {
      const gone: One[] = [];
      for (const one of all)
        await remove([one]).then(
          () => gone.push(one),
          (error: Error) => untold(one.draft.column, error.message),
        );
      return gone;
    }
  }

  async #draft(column: string): Promise<Draft> {
    const more = this.#beside[`${this.#model.name} ${column}`];
    const beside = typeof more === 'function' ? await more(this.#maker) : { ...more };
    const draft: Draft = { column, cells: {}, given: {}, ids: {}, objects: new Map() };
    for (const [name, value] of Object.entries(beside))
      if (name in this.#model.fields) draft.given[name] = value;
      else if (typeof value === 'number') draft.ids[name] = value;
      else draft.cells[name] = cellOf(value);
    await this.#fill(draft, column);
    for (let next = this.#next(column, draft); next !== undefined; next = this.#next(next, draft))
      await this.#fill(draft, next);
    this.#put(draft);
    return draft;
  }

  async #row(draft: Draft, { body, made }: { body: Values; made: Body }): Promise<ImportRow> {
    const { column } = draft;
    const said = new Set([...Object.keys(draft.cells), ...this.#filled(draft)]);
    const cells = { ...this.#cellsOf(body, said), ...draft.cells };
    const elsewhere = this.#isPlace(column) ? { ...cells, [column]: await this.#otherThan(draft, column) } : undefined;
    return { column, cells, body, made, marked: this.#marked(draft), elsewhere };
  }

  /** Whether a column only limits where, or of which type, the objects of other columns are. */
  #isPlace(name: string): boolean {
    const { widget, naming, declared } = this.columns.get(name)!;
    return !widget && naming !== undefined && !declared?.puts && !declared?.fills && !declared?.marks;
  }

  /** The column whose objects lie in those of this one, or have the type that it says. */
  #next(name: string, { cells }: Draft): string | undefined {
    const isType = [...this.columns.values()].some(({ naming }) => naming?.ofColumn === name);
    if (!this.#isPlace(name) && !isType) return undefined;
    return [...this.columns.values()].find(({ name: other, naming }) => {
      const within = Object.values({ ...naming?.among, ...naming?.rather });
      const types = isDict(naming?.of as Json) ? Object.keys(naming!.of as object) : [];
      return (
        other !== name &&
        !(other in cells) &&
        (within.includes(name) || naming?.ofColumn === name || types.includes(name))
      );
    })?.name;
  }

  async #fill(draft: Draft, name: string): Promise<void> {
    if (name in draft.cells) return;
    const column = this.columns.get(name);
    if (!column) throw new Error(`there is no column ${name}`);
    const { naming, widget, declared } = column;
    draft.cells[name] = '';
    if (declared?.is === 'boolean') draft.cells[name] = 'true';
    if (declared?.is === 'integer') draft.cells[name] = '1';
    for (const some of declared?.needs ?? [])
      if (!some.some((one) => draft.cells[one])) await this.#fill(draft, some[0]!);
    if (naming) await this.#name(draft, column);
    else if (widget) await this.#say(draft, column, widget.name);
    else if (declared?.is === 'objectType') draft.cells[name] = this.#typeIn(draft, column);
  }

  async #say({ cells, given }: Draft, { name }: FileColumn, field: string): Promise<void> {
    const value = given[field] ?? this.#usual[field] ?? (await this.#maker.value(this.#model, field));
    if (value === undefined) throw new Error('nothing is known that it may say');
    // An object with the same values would exist already.
    if (given[field] !== undefined || !(field in this.#usual)) {
      given[field] = value;
      cells[name] = cellOf(value, this.columns.get(name));
    } else delete cells[name];
  }

  /** Of the types that objects may have, the one whose objects lie where the row says that. */
  #fitting({ cells }: Draft, types: readonly string[], columns: readonly FileColumn[]): string {
    const places = columns.flatMap(({ naming }) =>
      Object.entries(naming?.among ?? {}).filter(([, place]) => cells[place]),
    );
    const fits = (type: string): boolean =>
      places.every(([filter]) => filter.replace(/_id$/, '') in this.#catalogue.get(type).fields);
    return types.find(fits) ?? types[0]!;
  }

  /** A type that a column may say. */
  #typeIn(draft: Draft, { name, choices }: FileColumn): string {
    const others = [...this.columns.values()].filter(({ naming }) => naming?.ofColumn === name);
    const types = choices.map(({ value }) => String(value));
    return this.#fitting(draft, types, others);
  }

  async #name(draft: Draft, column: FileColumn): Promise<void> {
    const { naming, name, widget, declared, pair } = column;
    const type = await this.#typeOf(draft, column);
    const places = await this.#placesOf(draft, column);
    const held = draft.ids[name] ?? draft.given[widget?.name ?? ''] ?? this.#usual[widget?.name ?? ''];
    const id = [held].flat()[0];
    const isChosen = name in draft.ids || (widget !== undefined && widget.name in draft.given);
    const object =
      typeof id !== 'number' || (Object.keys(places).length && !isChosen) ? await this.#object(type, places) : { id };
    const by = naming!.by ?? calledBy(this.#catalogue.get(type), this.#catalogue) ?? 'id';
    const whole = await this.#called(type, object.id, by);
    draft.objects.set(name, { type, object: whole });
    draft.cells[name] = textOf(whole[by]);
    if (widget)
      draft.given[widget.name] =
        widget.kind === 'pickers' ? [widget.name === 'tags' ? { id: whole.id } : whole.id] : whole.id;
    else if (pair && !declared?.puts) Object.assign(draft.given, { [pair.typeField]: type, [pair.idField]: whole.id });
  }

  async #typeOf(draft: Draft, column: FileColumn): Promise<string> {
    const { naming } = column;
    const { of, ofColumn, types } = naming!;
    if (typeof of === 'string') return of;
    if (of) {
      const said = Object.keys(of).find((one) => draft.cells[one]);
      if (said === undefined) await this.#fill(draft, Object.keys(of)[0]!);
      return of[said ?? Object.keys(of)[0]!]!;
    }
    if (ofColumn === undefined) throw new Error('its type is said nowhere');
    const said = draft.given[ofColumn] ?? draft.cells[ofColumn] ?? this.#usual[ofColumn];
    if (typeof said === 'string' && said) return types?.[said] ?? said;
    const [value, type] = types ? Object.entries(types)[0]! : await this.#someType(draft, column, ofColumn);
    draft.cells[ofColumn] = value;
    if (ofColumn in this.#model.fields) draft.given[ofColumn] = value;
    return type;
  }

  async #someType(draft: Draft, column: FileColumn, ofColumn: string): Promise<[string, string]> {
    const other = this.columns.get(ofColumn)!;
    const to = this.#model.fields[column.name]?.generic?.to;
    const type = to
      ? this.#fitting(draft, to, [column])
      : other.declared
        ? this.#typeIn(draft, other)
        : String(await this.#maker.value(this.#model, ofColumn));
    return [type, type];
  }

  /** The objects in which the referenced object has to be for the row to mean it, by fields of its type. */
  async #placesOf(draft: Draft, { naming }: FileColumn): Promise<Record<string, number>> {
    const places: Record<string, number> = {};
    for (const [filter, path] of Object.entries(naming!.among)) {
      const [column = '', member] = path.split('.');
      const known = draft.objects.get(column)?.object ?? (await this.#held(draft, column));
      const place = member === undefined ? known : known?.[member];
      if (place) places[filter.replace(/_id$/, '')] = place.id;
    }
    return places;
  }

  async #held(draft: Draft, column: string): Promise<Body | undefined> {
    const to = this.#model.fields[column]?.relation?.to;
    const id = draft.given[column] ?? this.#usual[column];
    if (to === undefined || typeof id !== 'number') return undefined;
    draft.given[column] = id;
    return this.#called(to, id, 'id');
  }

  /** Creates an object of a type inside others. */
  async #object(type: string, places: Record<string, number>): Promise<Body> {
    const { fields } = this.#catalogue.get(type);
    const given: Values = {};
    for (const [name, id] of Object.entries(places)) {
      if (fields[name]?.relation) given[name] = id;
      else Object.assign(given, await this.#assigned(type, name, id));
    }
    if (!Object.keys(given).length) return this.#maker.one(type);
    return (await this.#maker.make(this.#catalogue.get(type), { full: false, given })).made;
  }

  /** A generic reference to a new object that is inside another one. */
  async #assigned(type: string, name: string, id: number): Promise<Values> {
    for (const { generic } of Object.values(this.#catalogue.get(type).fields)) {
      const to = generic?.to?.map((one) => this.#catalogue.get(one)).find(({ fields }) => fields[name]?.relation);
      if (!to) continue;
      const { made } = await this.#maker.make(to, { full: false, given: { [name]: id } });
      return { [generic!.typeField]: to.name, [generic!.idField]: made.id as number };
    }
    return {};
  }

  /** An object that has what it is called by. */
  async #called(type: string, id: number, by: string): Promise<Body> {
    const target = this.#catalogue.get(type);
    const path = `${apiPath(target)}${id}/`;
    const object = this.#known.get(path) ?? (await this.#client.read(path));
    this.#known.set(path, object);
    if (textOf(object[by])) return object;
    const answer = await this.#client.patch(path, { [by]: await this.#maker.value(target, by) });
    if (answer.status !== 200) throw new Error(`${type} has no ${by}: ${answer.text}`);
    this.#known.set(path, answer.body);
    return answer.body;
  }

  /** Values that columns write to fields of other names. */
  #put(draft: Draft): void {
    for (const [name, { object }] of draft.objects) {
      const { puts } = this.columns.get(name)!.declared ?? {};
      const said = Object.fromEntries(
        Object.entries(draft.cells).map(([one, text]) => [
          one,
          this.columns.get(one)?.declared?.is === 'integer' ? Number(text) : text,
        ]),
      );
      if (puts) Object.assign(draft.given, puts(object.id, said));
    }
  }

  /** The fields that are filled by columns of other names. */
  #filled({ cells, objects }: Draft): string[] {
    return Object.keys(cells).flatMap((name) => {
      const { pair, declared, widget } = this.columns.get(name) ?? {};
      const object = objects.get(name)?.object;
      return [
        ...(widget ? [widget.name] : []),
        ...(pair ? [pair.idField, ...(declared?.of ? [pair.typeField] : [])] : []),
        ...(declared?.puts && object ? Object.keys(declared.puts(object.id, cells)) : []),
      ];
    });
  }

  /** The other values of the body, with references by id. */
  #cellsOf(body: Values, said: ReadonlySet<string>): Record<string, string> {
    const cells: Record<string, string> = {};
    for (const [name, value] of Object.entries(body)) {
      if (said.has(name) || value === null) continue;
      const { naming, widget } = this.columns.get(name) ?? {};
      if (naming && !widget?.ofField) {
        if (widget?.kind === 'picker') cells[`${name}.id`] = String(value);
      } else cells[name] = cellOf(value, this.columns.get(name));
    }
    return cells;
  }

  async #otherThan({ objects }: Draft, column: string): Promise<string> {
    const { type } = objects.get(column)!;
    const target = this.#catalogue.get(type);
    const by = calledBy(target, this.#catalogue) ?? 'id';
    const { made } = await this.#maker.make(target, { full: false });
    return textOf((await this.#called(type, made.id as number, by))[by]);
  }

  #marked({ objects, cells }: Draft): ImportRow['marked'] {
    for (const name of Object.keys(cells)) {
      const { marks } = this.columns.get(name)?.declared ?? {};
      const on = marks?.on.find((one) => objects.has(one));
      if (!marks || on === undefined) continue;
      const { type, object } = objects.get(on)!;
      return (made) => ({ path: `${apiPath(this.#catalogue.get(type))}${object.id}/`, field: marks.field(made) });
    }
    return undefined;
  }
}

/** @throws Error when not all of them are deleted */
export async function removeAll(client: Client, model: Model, objects: readonly Body[]): Promise<void> {
  const answer = await client.delete(
    apiPath(model),
    objects.map(({ id }) => ({ id })),
  );
  if (answer.status !== 204) throw new Error(`${model.name}: ${answer.status} ${answer.text}`);
}

const textOf = (value: Json | undefined): string => {
  const plain = isDict(value) && 'value' in value ? value['value'] : value;
  return plain === null || plain === undefined ? '' : String(plain);
};

/** A value as it stands in a table. */
function cellOf(value: Json, column?: FileColumn): string {
  if (column?.widget?.kind === 'json') return JSON.stringify(value);
  if (!Array.isArray(value)) return isDict(value) ? JSON.stringify(value) : String(value);
  if (value.every((one) => Array.isArray(one) && one.every((item) => typeof item === 'number')))
    return value.map((one) => (one as number[]).join('-')).join(',');
  if (value.every((one) => Array.isArray(one))) return value.map((one) => (one as string[]).join(':')).join(',');
  return value.some(isDict) ? JSON.stringify(value) : value.join(',');
}
