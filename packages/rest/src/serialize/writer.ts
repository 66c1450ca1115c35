import {
  aboutColumns,
  arrayItems,
  type Batched,
  type Catalogue,
  type Cell,
  columnName,
  type Field,
  type Form,
  members,
  type Model,
  printText,
  reachOf,
  type Relation,
  showsAbout,
  tellsAbout,
} from '@cadastre/model';

/** What printing needs besides the row: the address of the server and texts that were looked up before. */
export interface Related {
  base: string;
  /** JSON text of a related object; `null` when it is not there. */
  brief(type: string, form: Form, id: string): string;
  /** The ids of a list of related objects, as a row holds it, in the order that lists of their type have. */
  sortedIds(type: string, list: Cell): readonly string[];
  /**
   * JSON text of what points at an object: a number, the list of objects, or the only one; `empty` when nothing does.
   */
  reverse(key: string, id: string, empty: '0' | '[]' | 'null'): string;
  /**
   * The text that stands for an object, by `<type> <rest of the chain to it>` and the id where the chain starts; null
   * when it is not there.
   */
  display(key: string, id: string): string | null;
  /** JSON text of a batched field of an object. */
  batched(key: string, batch: Batched, id: string): string;
  /** Whether the reader may not know more of what an object is about than its type and id. */
  isHidden(type: string, id: string): boolean;
  /** JSON text of the custom field values of an object. */
  customFields(type: string, cell: Cell): string;
}

/** Something that must be looked up before rows can be printed. `at` is the index of the cell that holds the id. */
export type Need =
  | { kind: 'one' | 'many'; type: string; form: Form; at: number }
  /** `about`: what the object is about, shown to those only who may view it. */
  | { kind: 'generic'; form: Form; typeAt: number; at: number; about: boolean }
  | { kind: 'about'; typeAt: number; at: number }
  | { kind: 'reverse'; key: string; field: Field; at: number }
  | { kind: 'customFields'; at: number }
  | { kind: 'batched'; key: string; batch: Batched; at: number }
  /** The text of a related object, at the end of a chain that starts at an object which the row names. */
  | { kind: 'display'; rest: string; about: boolean; start(cells: Cell[]): { type: string; id: string } | null };

type Print = (cells: Cell[], related: Related) => string;

/** Where files are read. */
export const MEDIA = '/media/';

/** A compiled shape: the columns to select, what to look up, and how to print a row. */
export interface Writer {
  /** What it prints, in order. */
  members: readonly string[];
  columns: string[];
  needs: Need[];
  print: Print;
}

/** Name under which the reverse relations of a model are remembered. */
const reverseKey = (model: Model, field: string): string => `${model.name}.${field}`;

/** What is printed where nothing points at an object. */
export const NOTHING = { count: '0', list: '[]', one: 'null' } as const;

/** What stands for an object of which the reader may not know more. */
export const typeAndId = (type: string, id: string): string => `${type} ${id}`;

class Compiler {
  readonly columns: string[] = [];
  readonly needs: Need[] = [];
  readonly catalogue: Catalogue;
  readonly model: Model;

  readonly nested: boolean;

  constructor(catalogue: Catalogue, model: Model, nested: boolean) {
    this.catalogue = catalogue;
    this.model = model;
    this.nested = nested;
  }

  /** Index of a column's cell; selects it when it is not selected yet. */
  at(column: string): number {
    const index = this.columns.indexOf(column);
    return index >= 0 ? index : this.columns.push(column) - 1;
  }

  member(name: string): Print {
    const id = this.at('id');
    const { app, path, displayPath } = this.model;
    if (name === 'id') return (cells) => cells[id]!;
    if (name === 'url') return (cells, related) => `"${related.base}/api/${app}/${path}/${cells[id]}/"`;
    if (name === 'display_url')
      return (cells, related) => `"${related.base}/${displayPath || `${app}/${path}`}/${cells[id]}/"`;
    if (name === 'display') return this.display();
    const field = this.model.fields[name]!;
    return this.field(name, (this.nested && field.inNested) || field);
  }

  display(): Print {
    const { columns, related, when, text } = this.model.display;
    const at = columns.map((column) => this.at(column));
    const own = (cells: Cell[]) => at.map((i) => cells[i]!);
    if (related?.length) {
      const chains = related.map((chain) => this.chain(chain, (cells) => !when || when(own(cells))));
      return (cells, related) =>
        printText(
          text(
            own(cells),
            chains.map((one) => one(cells, related)),
          ),
        );
    }
    if (at.length === 1 && columns[0] === 'id') return (cells) => printText(text([cells[at[0]!]!], []));
    return (cells) => printText(text(own(cells), []));
  }

  /** The text at the end of a chain of references. */
  chain(chain: string, wanted: (cells: Cell[]) => boolean): (cells: Cell[], related: Related) => string | null {
    const { column, typeColumn, to, rest } = reachOf(this.model, chain);
    const at = this.at(column);
    const typeAt = typeColumn === undefined ? undefined : this.at(typeColumn);
    const about = startsAbout(this.model, { column, typeColumn });
    const start = (cells: Cell[]) => {
      const id = cells[at] ?? null;
      const type = typeAt === undefined ? to![0]! : (cells[typeAt] ?? null);
      return id === null || type === null || !wanted(cells) ? null : { type, id };
    };
    this.needs.push({ kind: 'display', rest, about, start });
    if (about) this.about();
    return (cells, related) => {
      const from = start(cells);
      return (
        from &&
        (about && related.isHidden(from.type, from.id)
          ? typeAndId(from.type, from.id)
          : related.display(`${from.type} ${rest}`, from.id))
      );
    };
  }

  /** Where the row says what the object is about. */
  about(): { typeAt: number; at: number } {
    const { type, id } = aboutColumns(this.model, this.model.about!);
    const where = { typeAt: this.at(type), at: this.at(id) };
    if (!this.needs.some(({ kind }) => kind === 'about')) this.needs.push({ kind: 'about', ...where });
    return where;
  }

  /**
   * A row as it is shown to readers who may not view what its object is about; undefined where that makes no
   * difference.
   */
  discreet(): ((cells: Cell[], related: Related) => Cell[]) | undefined {
    const { fields, about } = this.model;
    const told = (about?.tells ?? []).flatMap((name) => {
      const { column } = fields[name]!;
      const at = column ? this.columns.indexOf(columnName(name, fields[name]!)) : -1;
      return at < 0 ? [] : [{ at, empty: column!.nullable || column!.type === 'jsonb' ? null : '' }];
    });
    if (!told.length) return undefined;
    const { typeAt, at } = this.about();
    return (cells, related) => {
      if (cells[typeAt] == null || cells[at] == null || !related.isHidden(cells[typeAt], cells[at])) return cells;
      const bare = [...cells];
      for (const one of told) bare[one.at] = one.empty;
      return bare;
    };
  }

  field(name: string, field: Field): Print {
    if (field.computed) {
      const at = field.computed.columns.map((column) => this.at(column));
      const { print } = field.computed;
      return (cells) => print(at.map((i) => cells[i]!));
    }
    if (field.reverse) {
      const at = this.at('id');
      const key = reverseKey(this.model, name);
      this.needs.push({ kind: 'reverse', key, field, at });
      const empty = NOTHING[field.reverse.as];
      const { shown } = field.reverse;
      if (!shown) return (cells, related) => related.reverse(key, cells[at]!, empty);
      const ats = shown.columns.map((column) => this.at(column));
      return (cells, related) =>
        shown.print(
          related.reverse(key, cells[at]!, empty),
          ats.map((i) => cells[i]!),
        );
    }
    if (field.batched) {
      const at = this.at('id');
      const key = reverseKey(this.model, name);
      const batch = field.batched;
      this.needs.push({ kind: 'batched', key, batch, at });
      if (!tellsAbout(this.model, name)) return (cells, related) => related.batched(key, batch, cells[at]!);
      const about = this.about();
      return (cells, related) =>
        related.isHidden(cells[about.typeAt]!, cells[about.at]!)
          ? batch.empty
          : related.batched(key, batch, cells[at]!);
    }
    if (field.generic) return this.generic(field.generic);
    if (field.firstOf) return this.firstOf(field.firstOf);
    const at = this.at(columnName(name, field));
    if (field.special === 'customFields') {
      this.needs.push({ kind: 'customFields', at });
      return (cells, related) => related.customFields(this.model.name, cells[at]!);
    }
    if (field.relation) return this.relation(field.relation, at);
    if (field.upload) return (cells, related) => (cells[at] ? `"${related.base}${MEDIA}${cells[at]}"` : 'null');
    const print = field.print ?? printText;
    return (cells) => print(cells[at]!);
  }

  relation({ to, many, form }: Pick<Relation, 'to' | 'many' | 'form'>, at: number): Print {
    // In the nested form, related objects are in theirs.
    if (this.nested && form === 'brief') return this.relation({ to, many, form: 'nested' }, at);
    if (form === 'id')
      return many ? (cells) => `[${arrayItems(cells[at] ?? '{}').join(',')}]` : (cells) => cells[at] ?? 'null';
    this.needs.push({ kind: many ? 'many' : 'one', type: to, form, at });
    if (!many) return (cells, related) => (cells[at] === null ? 'null' : related.brief(to, form, cells[at]!));
    return (cells, related) => {
      const ids = cells[at];
      if (ids === null || ids === '{}') return '[]';
      return `[${related
        .sortedIds(to, ids!)
        .map((id) => related.brief(to, form, id))
        .filter((text) => text !== 'null')
        .join(',')}]`;
    };
  }

  firstOf(names: readonly string[]): Print {
    const offered = names.map((name) => {
      const field = this.model.fields[name]!;
      const at = this.at(columnName(name, field));
      return { at, print: this.relation(field.relation!, at) };
    });
    return (cells, related) => offered.find(({ at }) => cells[at] !== null)?.print(cells, related) ?? 'null';
  }

  generic({ typeField, idField, form }: NonNullable<Field['generic']>): Print {
    const typeAt = this.at(columnName(typeField, this.model.fields[typeField]!));
    const at = this.at(columnName(idField, this.model.fields[idField]!));
    const about = showsAbout(this.model, { typeField, idField });
    this.needs.push({ kind: 'generic', form, typeAt, at, about });
    if (about) this.about();
    return (cells, related) =>
      cells[typeAt] === null || cells[at] === null || (about && related.isHidden(cells[typeAt]!, cells[at]!))
        ? 'null'
        : related.brief(cells[typeAt]!, form, cells[at]!);
  }
}

/** Whether a chain starts at what the objects of a model are about. */
export function startsAbout(
  model: Model,
  { column, typeColumn }: { column: string; typeColumn?: string | undefined },
): boolean {
  const about = model.about && aboutColumns(model, model.about);
  return about?.type === typeColumn && about?.id === column && about !== undefined;
}

/** Compiles the given members of a model, in order. */
export const compileMembers = (catalogue: Catalogue, model: Model, names: readonly string[], nested = false): Writer =>
  compileNamed(
    catalogue,
    model,
    names.map((name) => [name, name]),
    nested,
  );

/** The same with other names on the wire: `[name, member]`. */
export function compileNamed(
  catalogue: Catalogue,
  model: Model,
  names: [name: string, member: string][],
  nested = false,
): Writer {
  const compiler = new Compiler(catalogue, model, nested);
  compiler.at('id');
  const parts: [prefix: string, print: Print][] = names.map(([name, member], i) => [
    `${i ? ',' : '{'}${JSON.stringify(name)}:`,
    compiler.member(member),
  ]);
  const discreet = compiler.discreet();
  const print: Print = (row, related) => {
    const cells = discreet ? discreet(row, related) : row;
    // One text at once: a text that grows piece by piece is a tree of its pieces, which outlives them all where many
    // objects are printed together.
    const texts: string[] = parts.length ? [] : ['{'];
    for (const [prefix, member] of parts) texts.push(prefix, member(cells, related));
    texts.push('}');
    return texts.join('');
  };
  return { members: names.map(([, member]) => member), columns: compiler.columns, needs: compiler.needs, print };
}

/** Compiles a whole form of a model. */
export function compileForm(catalogue: Catalogue, model: Model, form: Form | 'complete'): Writer {
  return form === 'key'
    ? compileKey(catalogue, model)
    : compileMembers(catalogue, model, members(model, form), form === 'nested');
}

/** The key alone, without an object around it. */
function compileKey(catalogue: Catalogue, model: Model): Writer {
  const compiler = new Compiler(catalogue, model, false);
  compiler.at('id');
  const [key] = members(model, 'key');
  const print = compiler.member(key!);
  return { members: [key!], columns: compiler.columns, needs: compiler.needs, print };
}
