import { environmentOf, type Renderer } from '@cadastre/templates';
import {
  type ActionHandler,
  brief,
  detail,
  type Engine,
  freeForm,
  parseQuery,
  requirePermitted,
  recordOf,
  refuse,
  userOf,
} from '@cadastre/rest';
import { configTemplate } from '../models/templates/configTemplate.ts';

/**
 * POST /api/extras/config-templates/<id>/render/: renders the template with the body as its context; answers plain text
 * to a client that accepts nothing else.
 */
export const render = (engine: Engine, renderer: Renderer): ActionHandler => ({
  methods: ['POST', 'OPTIONS'],
  operations: {
    POST: {
      summary: 'Render a config template with a context',
      request: freeForm,
      answer: recordOf({ configtemplate: brief(configTemplate), content: { type: 'string' } }),
      also: ['text/plain'],
    },
  },
  async handle(request, id) {
    const { who, base, headers } = request;
    await requirePermitted(engine, configTemplate, id, request, 'render');
    const context = (await request.body?.json()) ?? {};
    if (typeof context !== 'object' || Array.isArray(context))
      throw refuse(400, 'The context of a template is a JSON object.');
    const read = async (search: string) =>
      (await detail(engine, configTemplate, id!, parseQuery(search, engine.settings), who, base)).text;
    const { template_code: template, environment_params: environment } = JSON.parse(await read('')) as {
      template_code: string;
      environment_params: unknown;
    };
    const gone = request.gone?.();
    const { template: content } = await engine.limiters.exports.run(userOf(who), gone, () =>
      renderer
        .render({ template }, JSON.stringify(context), environmentOf(environment), gone)
        .catch((error: unknown) => {
          throw refuse(
            400,
            `An error occurred while rendering the template: ${error instanceof Error ? error.message : String(error)}`,
          );
        }),
    );
    const answer = { status: 200, headers: { Allow: 'POST, OPTIONS' } };
    if (/^\s*text\/plain\b/.test(String(headers['accept'] ?? '')))
      return {
        ...answer,
        headers: {
          ...answer.headers,
          'Content-Type': 'text/plain; charset=utf-8',
          'X-Content-Type-Options': 'nosniff',
        },
        body: content,
      };
    return { ...answer, body: `{"configtemplate":${await read('brief=1')},"content":${JSON.stringify(content)}}` };
  },
});
