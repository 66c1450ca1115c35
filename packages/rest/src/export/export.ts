import type { Json, Model } from '@cadastre/model';
import type { TemplateEngine } from '../templates/engine.ts';
import { refuse } from '../core/errors.ts';
import type { Requester } from '../core/requester.ts';
import { rowsOf } from '../db/sql.ts';
import type { Address } from '../read/list/list.ts';
import { listAll } from '../read/list/all.ts';
import type { Query } from '../read/query/query.ts';
import { rendered } from '../templates/render.ts';

const EXPORT_TEMPLATE = 'extras.exporttemplate';
const PLAIN_TEXT = 'text/plain; charset=utf-8';

/** A file made of a list. */
export interface Exported {
  body: string;
  headers: Record<string, string>;
}

interface ExportTemplate {
  code: string;
  environment: Json;
  mimeType: string;
  fileName: string;
  extension: string;
  asAttachment: boolean;
}

/**
 * The objects of a list, all pages of it, rendered by the export template of that name, which finds their
 * representations as `queryset`. @throws Refusal 404 without such a template for the type, 400 when it fails or there
 * are too many objects
 */
export async function exported(
  engine: TemplateEngine,
  model: Model,
  name: string,
  query: Query,
  who: Requester,
  to: Pick<Address, 'base' | 'gone'>,
  strict: boolean,
): Promise<Exported> {
  const template = await templateFor(engine, model, name);
  const objects = await listAll(engine, model, query, who, to, strict);
  const body = await rendered(
    engine,
    {
      template: template.code,
      context: `{"queryset":[${objects.join(',')}]}`,
      environment: template.environment,
      roots: { queryset: { type: model.name, many: true } },
      what: 'export template',
    },
    who,
    to,
  );
  return { body, headers: headersOf(model, template) };
}

async function templateFor(engine: TemplateEngine, model: Model, name: string): Promise<ExportTemplate> {
  await engine.invalidations.wait();
  const found = engine.tables.has(EXPORT_TEMPLATE) ? (await templates(engine, model)).get(name) : undefined;
  if (!found) throw refuse(404, 'Not found.');
  return found;
}

/** The export templates for a type by name; of several with one name the oldest. Remembered until one changes. */
async function templates(engine: TemplateEngine, model: Model): Promise<Map<string, ExportTemplate>> {
  const region = engine.cache.region<Map<string, ExportTemplate>>('export templates', [EXPORT_TEMPLATE]);
  const known = region.get(model.name);
  if (known) return known;
  const loaded = await region.fill(async () => {
    const rows = await rowsOf(engine.pool, {
      text: `select name, template_code, environment_params, mime_type, file_name, file_extension, as_attachment from ${engine.tables.nameOf(EXPORT_TEMPLATE)} where $1 = any(object_types) order by id desc`,
      values: [model.name],
    });
    const byName = new Map<string, ExportTemplate>();
    for (const [name, code, environment, mimeType, fileName, extension, asAttachment] of rows) {
      byName.set(name!, {
        code: code ?? '',
        environment: JSON.parse(environment ?? 'null') as Json,
        mimeType: mimeType || PLAIN_TEXT,
        fileName: fileName ?? '',
        extension: extension ?? '',
        asAttachment: asAttachment === 't',
      });
    }
    return new Map([[model.name, byName]]);
  });
  return loaded.get(model.name)!;
}

/** Users choose the media type, so the text is never taken for a page: it is a download, or it runs nothing. */
function headersOf(
  model: Model,
  { mimeType, fileName, extension, asAttachment }: ExportTemplate,
): Record<string, string> {
  const headers = {
    'Content-Type': headerText(mimeType),
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox",
  };
  if (!asAttachment) return headers;
  const file = `${fileName || `cadastre_${model.plural.replaceAll(' ', '_')}`}${extension ? `.${extension}` : ''}`;
  const plain = file.replace(/[^\x20-\x7e]|["\\]/g, '_');
  return {
    ...headers,
    'Content-Disposition': `attachment; filename="${plain}"${plain === file ? '' : `; filename*=UTF-8''${encodeURIComponent(file)}`}`,
  };
}

const headerText = (text: string): string => text.replace(/[^\x20-\x7e]/g, '');
