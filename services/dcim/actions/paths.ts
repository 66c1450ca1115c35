import type { Model } from '@cadastre/model';
import { type ActionHandler, briefsOf, type Engine, type Named, PATHS, READ, requireVisible } from '@cadastre/rest';
import { pathsOver } from './storedPaths.ts';

/** GET …/<id>/paths/ of objects that paths pass through: every path over the object, in full. */
export const pathsAction = (engine: Engine, model: Model): ActionHandler => ({
  methods: READ,
  operations: PATHS,
  async handle(request, id) {
    const object = await requireVisible(engine, model, id, request);
    return { status: 200, headers: { Allow: READ.join(', ') }, body: await pathsText(engine, object, request.base) };
  },
});

/** JSON text of the paths over an object. */
export async function pathsText(engine: Engine, object: Named, base: string): Promise<string> {
  const paths = await pathsOver(engine, object);
  const brief = await briefsOf(
    await engine.readContext(),
    paths.flatMap(({ steps }) => steps.flat()),
    base,
  );
  return `[${paths
    .map(({ id, steps, active, complete, split }) => {
      const shown = steps.map((step) => step.flatMap((node) => brief(node) ?? []));
      return `{"id":${id},"path":[${shown.map((step) => `[${step.join(',')}]`).join(',')}],"is_active":${active},"is_complete":${complete},"is_split":${split}}`;
    })
    .join(',')}]`;
}
