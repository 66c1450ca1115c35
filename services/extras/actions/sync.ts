import type { Model } from '@cadastre/model';
import { type ActionHandler, detail, type Engine, parseQuery, whole } from '@cadastre/rest';

/**
 * POST …/<id>/sync/: brings an object up to date with its data file. None has one, so the object is answered as it is.
 */
export const sync = (engine: Engine, model: Model): ActionHandler => ({
  methods: ['POST', 'OPTIONS'],
  operations: { POST: { summary: `Bring a ${model.label} up to date with its data file`, answer: whole(model) } },
  async handle(request, id) {
    const { text } = await detail(
      engine,
      model,
      id!,
      parseQuery('', engine.settings),
      request.who,
      request.base,
      'sync',
    );
    return { status: 200, headers: { Allow: 'POST, OPTIONS' }, body: text };
  },
});
