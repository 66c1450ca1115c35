import { flat, html, type Html, type Listed } from '@cadastre/pages';
import { LRUCache } from 'lru-cache';
import { spoken } from '../../../ui/texts/speaking.ts';
import { timesShown } from '../../../ui/time/times.ts';
import type { Shown } from '../../../context/pageRequest.ts';
import { rowsOf, type Table } from './tableRows.ts';

/** A page of a list as its template needs it. */
export interface RowsPage {
  count: number;
  results: { readonly length: number };
  rows: Html;
}

interface Remembered {
  answer: string;
  page: RowsPage;
}

/** The most characters that are cached, answers and rows together. */
const MOST = 6_000_000;

const remembered = new LRUCache<string, Remembered>({
  maxSize: MOST,
  sizeCalculation: ({ answer, page: { rows } }) => answer.length + rows.length,
});

/**
 * The rows for an answer of the API. The API is asked each time; if its answer is identical to the cached one, so are
 * the rows, for every user, as they show nothing but the answer. Cells that a service renders may show more, such as
 * how long ago something was, so lists with such cells are rendered each time.
 */
export function cachedRows(answer: string, table: Table): RowsPage {
  const { model, columns, home, selects, edits, back = '', cells } = table;
  if (cells.size) return draw(answer, table);
  const { locale, zone = '' } = timesShown();
  const key = [model.name, home, back, spoken().code, locale, zone, selects, edits, ...columns].join(' ');
  // Lists with the same columns are distinguished by the beginning of their answers.
  const place = `${key} ${answer.slice(0, 400)}`;
  const known = remembered.get(place);
  if (known?.answer === answer) return known.page;
  const page = draw(answer, table);
  remembered.set(place, { answer, page });
  return page;
}

function draw(answer: string, table: Table): RowsPage {
  const { count, results } = JSON.parse(answer) as Listed<Shown>;
  return { count, results: { length: results.length }, rows: flat(html`${rowsOf(results, table)}`) };
}
