import { readQuery } from '@cadastre/body';
import type { Json, Model } from '@cadastre/model';
import { documentIn } from '../body/document.ts';
import type { Engine } from '../../engine.ts';
import { notPermitted } from '../../core/errors.ts';
import { allowed } from '../../core/requester.ts';
import { type ActionHandler, contextOf } from '../message/message.ts';
import { parameter } from '../../openapi/operation.ts';
import { anyBrief, freeForm, oneOrMore } from '../../openapi/shapes.ts';
import { createDocuments } from '../../import/documents/create.ts';

const ALLOW = { Allow: 'POST, OPTIONS' };

/**
 * POST /api/<app>/<path>/documents/: makes objects with their parts out of documents (one, or a list), all or none.
 * With `?dry_run=true` nothing is written, and the answer says what would be wrong.
 */
export const documents = (engine: Engine, model: Model): ActionHandler => ({
  methods: ['POST', 'OPTIONS'],
  operations: {
    POST: {
      summary: `Create ${model.plural} with their components`,
      parameters: [parameter('dry_run', { type: 'boolean' }, 'Only say what would be wrong.')],
      request: oneOrMore(freeForm),
      status: 201,
      answer: oneOrMore(anyBrief),
      nothing: 'Nothing would be wrong, and nothing was written.',
    },
  },
  async handle(request) {
    if (request.method === 'OPTIONS')
      return {
        status: 200,
        headers: ALLOW,
        body: JSON.stringify({ name: `Documents of ${model.plural}`, description: '', parses: PARSES }),
      };
    if (allowed(request.who.grants, 'add', model.name) === false) throw notPermitted(request.who);
    const { body, files } = await documentIn(request, model, engine.settings);
    const single = !Array.isArray(body);
    const bodies: Json[] = Array.isArray(body) ? body : [body ?? {}];
    const dry = readQuery(request.search, engine.settings.maxParameters).get('dry_run') === 'true';
    const context = { ...contextOf(request), ...(files ? { files } : {}) };
    const written = await createDocuments(engine, model, bodies, { single, dry }, context);
    const made = (written?.texts ?? []).map((text) => {
      const { id, url, display } = JSON.parse(text) as Record<string, Json>;
      return { id, url, display };
    });
    if (dry) return { status: 204, headers: ALLOW, body: '' };
    return { status: 201, headers: ALLOW, body: JSON.stringify(single ? (made[0] ?? null) : made) };
  },
});

const PARSES = ['application/json', 'multipart/form-data'];
