import type { Dict, Json } from '@cadastre/model';
import { isDict } from '@cadastre/model';
import {
  Composer,
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  type ParsedNode,
  Parser,
} from 'yaml';
import {
  Count,
  fieldsWithin,
  type ImportLimits,
  oneMore,
  type Parsed,
  type Place,
  placeIn,
  type Position,
  type Row,
  Unreadable,
  within,
} from './rows.ts';

/** The most places that one level of nesting takes on the parser's stack. */
const PLACES = 2;
/** The most alias expansions of a document, as the library counts them. */
const ALIASES = 100;

/**
 * The objects of all documents, each of which is an object or a list of objects. The text is read token by token, so
 * that a text over a limit is refused at the position of the excess. @throws Unreadable
 */
export function yamlRows(text: string, limits: ImportLimits): Parsed {
  const rows: Row[] = [];
  const columns = new Map<string, Position>();
  const count = new Count(limits);
  const lines = new LineCounter();
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  for (const document of documentsOf(text, limits, lines, at, () => rows.length)) {
    const [wrong] = document.errors;
    if (wrong) throw new Unreadable('importMalformed', { format: 'YAML', text: wrong.message }, at(wrong.pos[0]));
    const { contents } = document;
    if (!contents || (isScalar(contents) && contents.value === null)) continue;
    const value = writtenOut(document, at(contents.range[0]));
    const nodes = isSeq(contents) ? contents.items : [contents];
    for (const [i, one] of (Array.isArray(value) ? value : [value]).entries()) {
      const node = nodes[i];
      const start = at(isNode(node) && node.range ? node.range[0] : contents.range[0]);
      oneMore(rows, limits, start);
      if (!isDict(one)) throw new Unreadable('importObject', {}, start);
      const places = placesOf(node, start.line);
      measure(one, limits, count, start);
      rows.push({ line: start.line, values: one, places });
    }
  }
  return { rows, texts: false, columns };

  function placesOf(node: unknown, line: number): Record<string, Place> {
    const places: Record<string, Place> = Object.create(null);
    if (!isMap(node)) return places;
    fieldsWithin(node.items.length, limits, { line });
    for (const { key, value } of node.items) {
      const { range } = key as Node;
      if (!isScalar(key) || !range) continue;
      const where = at(range[0]);
      const name = String(key.value);
      places[name] = placeIn(line, where);
      if (!columns.has(name)) columns.set(name, where);
      if (isSeq(value)) for (const [nth, item] of value.items.entries()) placesInside(item, within(name, nth));
    }
    return places;

    function placesInside(item: unknown, prefix: string): void {
      if (!isMap(item) || !item.range) return;
      places[prefix] = placeIn(line, at(item.range[0]));
      for (const { key } of item.items) {
        const { range } = key as Node;
        if (isScalar(key) && range) places[`${prefix}.${key.value}`] = placeIn(line, at(range[0]));
      }
    }
  }
}

/** Yields each document when it ends; stops at the first one that exceeds a limit. */
function* documentsOf(
  text: string,
  limits: ImportLimits,
  lines: LineCounter,
  at: (offset: number) => Position,
  soFar: () => number,
): Generator<Document.Parsed<ParsedNode>> {
  const parser = new Parser(lines.addNewLine);
  const composer = new Composer({ schema: 'core', logLevel: 'error' });
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) yield* composer.next(token) as Generator<Document.Parsed<ParsedNode>>;
    const { stack } = parser;
    if (stack.length > limits.depth * PLACES)
      throw new Unreadable('importDepth', { count: limits.depth }, at(parser.offset));
    const outer = stack[1];
    const items = outer && 'items' in outer ? outer.items.length : 0;
    if (soFar() + items > limits.rows + 1 && outer?.type !== 'block-map')
      throw new Unreadable('importRows', { count: limits.rows }, at(parser.offset));
    const top = stack.at(-1);
    if (top?.type === 'block-map') fieldsWithin(top.items.length - 1, limits, at(parser.offset));
  }
  for (const token of parser.end()) yield* composer.next(token) as Generator<Document.Parsed<ParsedNode>>;
  yield* composer.end(false, text.length) as Generator<Document.Parsed<ParsedNode>>;
}

function writtenOut(document: Document.Parsed<ParsedNode>, where: Position): Json {
  try {
    return document.toJS({ maxAliasCount: ALIASES }) as Json;
  } catch (error) {
    throw new Unreadable('importMalformed', { format: 'YAML', text: (error as Error).message }, where);
  }
}

/** Counts the values and the size of an object with every alias written out. @throws Unreadable */
function measure(object: Dict, limits: ImportLimits, count: Count, where: Position): void {
  const walk = (value: unknown, depth: number): void => {
    count.values(1, where);
    if (depth > limits.depth) throw new Unreadable('importDepth', { count: limits.depth }, where);
    if (typeof value === 'number' && !Number.isFinite(value)) throw new Unreadable('importNumber', {}, where);
    if (typeof value === 'string') {
      if (value.length > limits.length) throw new Unreadable('importLength', { count: limits.length }, where);
      count.size(value.length, where);
    } else if (Array.isArray(value)) for (const one of value) walk(one, depth + 1);
    else if (typeof value === 'object' && value !== null)
      for (const [name, one] of Object.entries(value)) {
        count.size(name.length, where);
        walk(one, depth + 1);
      }
  };
  walk(object, 1);
}
