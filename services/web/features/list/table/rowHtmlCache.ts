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

/** So many characters are remembered at most, answers and rows together. */
const MOST = 6_000_000;

const remembered = new LRUCache<string, Remembered>({
  maxSize: MOST,
  sizeCalculation: ({ answer, page: { rows } }) => answer.length + rows.length,
});

/**
 * The rows of an answer of the API. It is asked each time, and where it answers to the letter what it has answered
 * before, the rows are what they were, for every requester: they show nothing else. What a service shows in a way of its own
 * may say more, such as how long ago something was, so that is drawn each time.
 */
export function cachedRows(answer: string, table: Table): RowsPage {
  const { model, columns, home, selects, edits, back = '', cells } = table;
  if (cells.size) return draw(answer, table);
  const { locale, zone = '' } = timesShown();
  const key = [model.name, home, back, spoken().code, locale, zone, selects, edits, ...columns].join(' ');
  // Lists of the same columns are told apart by what they show first.
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
