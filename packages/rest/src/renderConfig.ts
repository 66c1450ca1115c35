import { type Cell, columnName, type Dict, type Model, quote } from '@cadastre/model';
import type { Engine } from './engine.ts';
import { notFound, refuse } from './errors.ts';
import type { ActionHandler, ApiRequest, ApiResponse } from './http.ts';
import { permissionSql } from './plan/plan.ts';
import { surroundingsOf } from './query/related.ts';
import { Binder, rowsOf } from './query/sql.ts';
import { detail } from './read.ts';
import { dictionaryOf } from './request/body.ts';
import { parseQuery } from './request/query.ts';
import { brief, freeForm, record } from './response/operation.ts';
import { compileForm } from './response/writer.ts';

/** Config templates, and the columns that rendering takes. Whoever renders names them in its `reads`. */
export const CONFIG_TEMPLATE = 'extras.configtemplate';
export const TEMPLATE_FIELDS = ['template_code', 'environment_params'];

/** What a config template makes of a context: with the template's brief form, or as plain text for a client that wants that. @throws Refusal 400 when it fails, 404 without it */
export async function renderTemplate(engine: Engine, id: string, context: Dict, request: ApiRequest): Promise<ApiResponse> {
  const { catalogue, tables } = engine, model = catalogue.get(CONFIG_TEMPLATE), writer = compileForm(catalogue, model, 'brief');
  const rows = await rowsOf(engine.pool, { text: `select ${[...writer.columns, ...TEMPLATE_FIELDS].map((name) => `t.${quote(name)}`).join(', ')} from ${tables.nameOf(CONFIG_TEMPLATE)} t where t.id = $1`, values: [id] });
  const [code, environment] = rows[0]?.slice(-TEMPLATE_FIELDS.length) ?? [];
  if (code === undefined) throw notFound(model.className);
  const content = await engine.render(code ?? '', JSON.stringify(context), JSON.parse(environment ?? 'null')).catch((error: unknown) => {
    throw refuse(400, `The config template could not be rendered: ${error instanceof Error ? error.message : String(error)}`);
  });
  if (/^text\/plain\b/.test(String(request.headers['accept'] ?? ''))) return { status: 200, headers: { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' }, body: content };
  const around = (await surroundingsOf(await engine.source(), model, writer, rows))(request.base);
  return { status: 200, headers: {}, body: `{"configtemplate":${writer.print(rows[0]!, around)},"content":${JSON.stringify(content)}}` };
}

/**
 * POST …/<id>/render-config/: the configuration of an object, by its own template, else that of its role, else that of its platform. The
 * template knows the object's config context, what the client gives, and the object itself under the name of its type.
 */
export function renderConfig(engine: Engine, type: string): ActionHandler {
  const model = engine.catalogue.get(type), name = type.split('.')[1]!;
  return {
    methods: ['POST', 'OPTIONS'],
    operations: {
      POST: {
        summary: `Render the configuration of a ${model.label}`, request: freeForm, also: ['text/plain'],
        answer: record({ configtemplate: brief(engine.catalogue.get(CONFIG_TEMPLATE)), content: { type: 'string' } }),
      },
    },
    async handle(request, id) {
      if (request.method === 'OPTIONS') return { status: 200, headers: { Allow: 'POST, OPTIONS' }, body: JSON.stringify({ name: 'Render Config', renders: ['application/json', 'text/plain'], parses: ['application/json'] }) };
      if (!/^\d{1,18}$/.test(id ?? '')) throw refuse(404, 'Not found.');
      const variables = dictionaryOf(request);
      const object = JSON.parse((await detail(engine, model, id!, parseQuery('', engine.settings), request.who, request.base)).text) as Dict;
      const template = await templateOf(engine, model, id!, request);
      if (template === null) return { status: 400, headers: {}, body: JSON.stringify({ error: `No config template found for this ${name}.` }) };
      return renderTemplate(engine, template, { ...(object['config_context'] as Dict), ...variables, [name]: object }, request);
    },
  };
}

/** Id of the template of an object that the requester may render, or null when it has none. @throws Refusal 403, 404 */
async function templateOf(engine: Engine, model: Model, id: string, { who }: ApiRequest): Promise<Cell> {
  const { tables } = engine, binder = new Binder(), own = `t.id = ${binder.bind(id)}`, permission = permissionSql(tables, model, 'render_config', who, binder);
  const from = ['role', 'platform'].map((field) => {
    const { relation } = model.fields[field]!, column = quote(columnName(field, model.fields[field]!));
    return `left join ${tables.nameOf(relation!.to)} ${field} on ${field}.id = t.${column}`;
  });
  const rows = await rowsOf(engine.pool, {
    text: `select coalesce(t.config_template_id, role.config_template_id, platform.config_template_id) from ${tables.nameOf(model.name)} t ${from.join(' ')} where ${own}${permission ? ` and ${permission}` : ''}`,
    values: binder.values,
  });
  if (!rows[0]) throw notFound(model.className);
  return rows[0][0]!;
}
