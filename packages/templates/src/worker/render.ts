import { LRUCache } from 'lru-cache';
import type { Explored, ExploreJob, Models, RenderJob, TemplateOptions, Texts } from '../jobs/jobs.ts';
import { ModelContext } from '../objects/models.ts';
import { TemplateError } from '../language/parse.ts';
import { compileTemplate, type Template } from './sandbox.ts';
import { withBehaviour, isDict, type TypeBehaviour } from '../values/values.ts';

const compiled = new LRUCache<string, Template>({
  max: 500,
  maxSize: 4_000_000,
  sizeCalculation: (_, source) => source.length + 1,
});

function template(source: string, options: TemplateOptions | undefined): Template {
  const key = options ? `${JSON.stringify(options)}${source}` : source;
  const known = compiled.get(key);
  if (known) return known;
  const made = compileTemplate(source, options);
  compiled.set(key, made);
  return made;
}

/** A strict dictionary: a missing member is an error. */
const strictly = (name: string): TypeBehaviour => ({
  get(key, found) {
    if (found === undefined) throw new Error(`'${name}' has no '${key}'`);
    return found;
  },
  method: () => undefined,
});

/** Renders the texts of a job. @throws TemplateError */
export function render({ texts, context, maxOutput, options, strict = [] }: RenderJob): Texts {
  const result: Texts = {};
  for (const [part, source] of Object.entries(texts)) {
    if (source === undefined) continue;
    // Each part gets its own copy, so that none can leave something behind for the next.
    const variables = JSON.parse(context) as Record<string, unknown>;
    for (const name of strict) if (isDict(variables[name])) withBehaviour(variables[name], strictly(name));
    const output = template(source, options)(variables);
    if (Buffer.byteLength(output) > maxOutput)
      throw new TemplateError(`the ${part} is larger than ${maxOutput} bytes.`);
    result[part] = output;
  }
  return result;
}

/** Renders a text, as far as it goes with what is known of the objects in its context. @throws TemplateError */
export function explore({ template: source, context, models, maxOutput, options }: ExploreJob): Explored {
  const variables = JSON.parse(context) as Record<string, unknown>;
  const world = new ModelContext(JSON.parse(models) as Models);
  let output: string;
  try {
    world.bind(variables);
    output = template(source, options)(variables);
  } catch (error) {
    // The error may have come from what has not been loaded yet.
    if (world.wants.length) return { wants: world.wants };
    throw error;
  }
  if (world.wants.length) return { wants: world.wants };
  if (Buffer.byteLength(output) > maxOutput) throw new TemplateError(`the template is larger than ${maxOutput} bytes.`);
  return { text: output };
}
