import { setImmediate } from 'node:timers/promises';
import { apiPath, type Model } from '@cadastre/model';
import type { Listed } from '@cadastre/pages';
import { stringify as yaml } from 'yaml';
import { orNone } from '../../../context/refusals.ts';
import { formSchema } from '../../form/schema/formSchema.ts';
import { fileColumns } from '../../import/columns/fileColumns.ts';
import type { Shown, PageRequest } from '../../../context/pageRequest.ts';
import type { Answer } from '../../../ui/page/answer.ts';
import { changed, selecting } from '../../../ui/url/listQuery.ts';
import { archiveOf } from './archive.ts';
import { type Cells, cellsOf } from './cells.ts';
import { columnsOf, csvLine } from './csv.ts';
import { documentsOf, documentText } from './documents.ts';
import { withNames } from './idsOnly.ts';
import { layoutOf, membersFor } from '../table/layout.ts';
import { pagesOfAll, selectionOf } from '../table/selection.ts';

/** The formats of an export; other names are those of export templates. */
const FORMATS = ['csv', 'table', 'json', 'yaml', 'documents', 'archive'] as const;
type Format = (typeof FORMATS)[number];

const TYPES: Record<Format, string> = {
  csv: 'text/csv; charset=utf-8',
  table: 'text/csv; charset=utf-8',
  json: 'application/json',
  yaml: 'application/yaml',
  documents: 'application/yaml',
  archive: 'application/zip',
};
/** How many objects are written before other requests get their turn. */
const AT_ONCE = 50;

/** A file of everything that the filters select, written as it is read and never held in memory as a whole. */
export async function exported(request: PageRequest, model: Model): Promise<Answer> {
  // As in the reference, types with documents are exported as documents by default.
  const asked = request.query.get('export') || (model.documents ? 'documents' : 'csv');
  const format = formatsOf(model).find((one) => one === asked);
  if (!format) return byTemplate(request, model, asked);
  const columns = format === 'table' ? (await layoutOf(request, model)).columns : undefined;
  const parameters = selecting(request.query);
  if (columns) parameters.set('fields', membersFor(columns));
  const pages = pagesOfAll(request, model, parameters);
  // The first page is read in advance, so that a refusal of the API becomes a page and not a truncated file.
  const first = await pages.next();
  const writing = format === 'csv' || format === 'table' ? asCsv(columns, await cellsFor(request, model)) : undefined;
  return fileOf(request, model, format, together(first, pages), writing);
}

/** Objects that somebody has selected, as documents: in one file, or as an archive with one for each. */
export async function exportedDocuments(request: PageRequest, model: Model): Promise<Answer> {
  const { objects } = await selectionOf(request, model, membersOf(model));
  return fileOf(
    request,
    model,
    request.submitted.fields.has('_archive') ? 'archive' : 'documents',
    oneByOne([objects]),
  );
}

/** All members that a document has of the object itself. */
const membersOf = ({ fields }: Model): string[] =>
  Object.entries(fields).flatMap(([name, { readOnly, hidden, writeOnly }]) =>
    readOnly || hidden || writeOnly ? [] : [name],
  );

async function* oneByOne<T>(all: readonly T[]): AsyncGenerator<T> {
  yield* all;
}

function fileOf(
  request: PageRequest,
  model: Model,
  format: Format,
  pages: AsyncIterable<Shown[]>,
  writing = format === 'archive' ? undefined : writingOf(request, model, format),
): Answer {
  const file = `cadastre_${model.plural.replace(/[^a-z0-9]+/gi, '_')}.${ENDINGS[format] ?? format}`;
  return {
    stream: writing
      ? written(writing, format === 'documents' ? pages : named(request, model, pages))
      : archiveOf(request, model, pages),
    type: TYPES[format],
    headers: { 'Content-Disposition': `attachment; filename="${file}"`, 'Cache-Control': 'no-store' },
  };
}

const ENDINGS: Partial<Record<Format, string>> = { table: 'csv', documents: 'yaml', archive: 'zip' };

const formatsOf = ({ documents }: Model): readonly Format[] =>
  documents ? FORMATS : FORMATS.filter((one) => one !== 'documents' && one !== 'archive');

async function* together<T>(first: IteratorResult<T>, rest: AsyncGenerator<T>): AsyncGenerator<T> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}

const writingOf = (request: PageRequest, model: Model, format: Format): Writing =>
  format === 'json' ? asJson() : format === 'yaml' ? asYaml() : asDocuments(request, model);

/** The cells of tables have the form that the import page of the list accepts. */
async function cellsFor(request: PageRequest, model: Model): Promise<Cells> {
  const { catalogue } = request;
  const form = await formSchema(request, model);
  return cellsOf(fileColumns(form, model, catalogue), model, catalogue);
}

async function* named(
  { api, catalogue }: PageRequest,
  model: Model,
  pages: AsyncIterable<Shown[]>,
): AsyncGenerator<readonly Shown[]> {
  for await (const page of pages) yield await withNames(api, catalogue, model, page);
}

async function* written(write: Writing, pages: AsyncIterable<readonly Shown[]>): AsyncGenerator<string> {
  for await (const page of pages)
    for (let i = 0; i < page.length || i === 0; i += AT_ONCE) {
      yield await write.some(page.slice(i, i + AT_ONCE));
      await setImmediate();
    }
  yield write.end();
}

interface Writing {
  some(objects: readonly Shown[]): string | Promise<string>;
  end(): string;
}

const asDocuments = (request: PageRequest, model: Model): Writing => ({
  some: async (objects) => (await documentsOf(request, model, objects)).map(documentText).join(''),
  end: () => '',
});

function asJson(): Writing {
  let begun = false;
  return {
    some: (objects) => {
      if (!objects.length) return '';
      const text = objects.map((one) => JSON.stringify(one)).join(',\n');
      const before = begun ? ',\n' : '[\n';
      begun = true;
      return before + text;
    },
    end: () => (begun ? '\n]\n' : '[]\n'),
  };
}

function asYaml(): Writing {
  let begun = false;
  return {
    some: (objects) => {
      begun ||= objects.length > 0;
      return objects.length ? yaml(objects, { aliasDuplicateObjects: false }) : '';
    },
    end: () => (begun ? '' : '[]\n'),
  };
}

/** The columns are taken from the first objects, as all objects of a type have the same members. */
function asCsv(chosen: readonly string[] | undefined, cells: Cells): Writing {
  let columns: readonly string[] | undefined;
  return {
    some: (objects) => {
      const head = columns ? '' : csvLine((columns = chosen ?? columnsOf(objects[0], cells)), undefined);
      return head + objects.map((one) => csvLine(columns!, one, cells)).join('');
    },
    end: () => '',
  };
}

/** The output of an export template for the list, from the API. */
async function byTemplate({ api, query }: PageRequest, model: Model, name: string): Promise<Answer> {
  const asked = selecting(query);
  asked.set('export', name);
  const { text, headers } = await api.file(`${apiPath(model)}?${asked}`);
  const disposition = headers.get('content-disposition');
  return {
    body: text,
    type: headers.get('content-type') ?? 'text/plain',
    headers: {
      'Content-Security-Policy': "default-src 'none'; sandbox",
      ...(disposition ? { 'Content-Disposition': disposition } : {}),
    },
  };
}

/** The formats in which a list can be exported. */
export async function exportChoices({ api, query, catalogue }: PageRequest, model: Model, home: string) {
  const templates =
    model.features.has('exportTemplates') && catalogue.has('extras.exporttemplate')
      ? (
          await orNone(
            api.get<Listed<{ name: string; description: string }>>(
              `/api/extras/export-templates/?object_type=${model.name}&fields=name,description&limit=500`,
            ),
          )
        ).results
      : [];
  const at = (name: string): string => changed(home, query, { export: name, offset: null, limit: null, page: null });
  return {
    formats: formatsOf(model).map((name) => ({ name, href: at(name) })),
    templates: templates.map(({ name, description }) => ({ name, description, href: at(name) })),
  };
}
