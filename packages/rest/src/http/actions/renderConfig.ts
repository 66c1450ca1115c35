import { dictionaryIn } from '@cadastre/body';
import {
  type Cell,
  columnName,
  type Dict,
  integerOf,
  type Json,
  type Model,
  quote,
  type Schema,
} from '@cadastre/model';
import type { Engine } from '../../engine.ts';
import { notFound, refuse } from '../../core/errors.ts';
import type { ActionHandler, ApiRequest, ApiResponse } from '../message/message.ts';
import { loadRelated } from '../../serialize/related/related.ts';
import { rowsOf } from '../../db/sql.ts';
import { detail } from '../../read/detail.ts';
import { requirePermitted } from './requireVisible.ts';
import { parseQuery } from '../../read/query/query.ts';
import { brief, record } from '../../openapi/shapes.ts';
import { compileForm } from '../../serialize/writer.ts';
import { rendered, type Roots } from '../../templates/render.ts';
import { userOf } from '../../db/limiter/guarded.ts';
import { resolve } from '../../write/resolve/references.ts';
import { transaction } from '../../db/transaction.ts';

/** Config templates, and the columns that rendering takes. A service that renders names them in its `reads`. */
const CONFIG_TEMPLATE = 'extras.configtemplate';
const TEMPLATE_FIELDS = ['template_code', 'environment_params'];

/**
 * Renders a config template with a context: the answer holds the template's brief form, or is plain text for a client
 * that wants that. @throws Refusal 400 when rendering fails, 404 without the template
 */
async function renderTemplate(
  engine: Engine,
  id: string,
  context: Dict,
  request: ApiRequest,
  roots: Roots = {},
): Promise<ApiResponse> {
  const { catalogue, tables } = engine;
  const model = catalogue.get(CONFIG_TEMPLATE);
  const writer = compileForm(catalogue, model, 'brief');
  const rows = await rowsOf(engine.pool, {
    text: `select ${[...writer.columns, ...TEMPLATE_FIELDS].map((name) => `t.${quote(name)}`).join(', ')} from ${tables.nameOf(CONFIG_TEMPLATE)} t where t.id = $1`,
    values: [id],
  });
  const [code, environment] = rows[0]?.slice(-TEMPLATE_FIELDS.length) ?? [];
  if (code === undefined) throw notFound(model.className);
  const content = await rendered(
    engine,
    {
      template: code ?? '',
      context: JSON.stringify(context),
      environment: JSON.parse(environment ?? 'null'),
      roots,
      what: 'config template',
    },
    request.who,
    request,
  );
  if (/^text\/plain\b/.test(String(request.headers['accept'] ?? '')))
    return {
      status: 200,
      headers: { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' },
      body: content,
    };
  const related = (await loadRelated(await engine.readContext(), model, writer, rows))(request.base);
  return {
    status: 200,
    headers: {},
    body: `{"configtemplate":${writer.print(rows[0]!, related)},"content":${JSON.stringify(content)}}`,
  };
}

/**
 * POST …/<id>/render-config/: the configuration of an object, by the template that the client names
 * (`config_template_id`), else its own, else that of its role, else that of its platform. The template knows the
 * object's config context, what the client gives, and the object itself under the name of its type.
 */
export function renderConfig(engine: Engine, type: string): ActionHandler {
  const model = engine.catalogue.get(type);
  const name = type.split('.')[1]!;
  return {
    methods: ['POST', 'OPTIONS'],
    operations: {
      POST: {
        summary: `Render the configuration of a ${model.label}`,
        request: INPUT,
        also: ['text/plain'],
        answer: record({ configtemplate: brief(engine.catalogue.get(CONFIG_TEMPLATE)), content: { type: 'string' } }),
      },
    },
    async handle(request, id) {
      if (request.method === 'OPTIONS')
        return {
          status: 200,
          headers: { Allow: 'POST, OPTIONS' },
          body: JSON.stringify({
            name: 'Render Config',
            renders: ['application/json', 'text/plain'],
            parses: ['application/json'],
          }),
        };
      if (!/^\d{1,18}$/.test(id ?? '')) throw refuse(404, 'Not found.');
      await requirePermitted(engine, model, id, request, 'render_config');
      const variables = await dictionaryIn(request.body);
      return engine.limiters.exports.run(userOf(request.who), request.gone?.(), () =>
        renderedFor(id!, variables, request),
      );
    },
  };

  async function renderedFor(id: string, variables: Dict, request: ApiRequest): Promise<ApiResponse> {
    const object = JSON.parse(
      (await detail(engine, model, id, parseQuery('', engine.settings), request.who, request.base)).text,
    ) as Dict;
    const { config_template_id: wanted, ...rest } = variables;
    const template = wanted ? await templateNamed(engine, wanted, request) : await templateOf(engine, model, id);
    if (template === null)
      return {
        status: 400,
        headers: {},
        body: JSON.stringify({
          error: wanted
            ? `Config template with ID ${typeof wanted === 'object' ? JSON.stringify(wanted) : String(wanted)} not found.`
            : `No config template found for this ${name}.`,
        }),
      };
    return renderTemplate(
      engine,
      template,
      { ...(object['config_context'] as Dict), ...rest, [name]: object },
      request,
      { [name]: { type } },
    );
  }
}

/** Variables for the template, and which one. */
const INPUT: Schema = {
  type: 'object',
  properties: {
    config_template_id: { type: ['integer', 'null'], description: 'Another template than the one that is assigned.' },
  },
  additionalProperties: true,
};

/** Id of a template that the requester may view, as its owner has it now; null when there is none. */
async function templateNamed(engine: Engine, wanted: Json, { who }: ApiRequest): Promise<Cell> {
  const id = integerOf(wanted);
  if (id === undefined || !Number.isSafeInteger(id)) return null;
  // By attributes, since those are looked up among what the requester may view.
  const [found] = await transaction(engine.pool, (client) =>
    resolve(engine, CONFIG_TEMPLATE, [{ attributes: { id } }], who, client),
  );
  return found && 'id' in found ? String(found.id) : null;
}

/** Id of the template of an object, or null when it has none. @throws Refusal 404 */
async function templateOf({ pool, tables }: Engine, model: Model, id: string): Promise<Cell> {
  const from = ['role', 'platform'].map((field) => {
    const { relation } = model.fields[field]!;
    const column = quote(columnName(field, model.fields[field]!));
    return `left join ${tables.nameOf(relation!.to)} ${field} on ${field}.id = t.${column}`;
  });
  const rows = await rowsOf(pool, {
    text: `select coalesce(t.config_template_id, role.config_template_id, platform.config_template_id) from ${tables.nameOf(model.name)} t ${from.join(' ')} where t.id = $1`,
    values: [id],
  });
  if (!rows[0]) throw notFound(model.className);
  return rows[0][0]!;
}
