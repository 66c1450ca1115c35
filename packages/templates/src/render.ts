import { LRUCache } from 'lru-cache';
import type { RenderJob, TemplateOptions, Texts } from './jobs.ts';
import { TemplateError } from './parse.ts';
import { compileTemplate, type Template } from './sandbox.ts';

const compiled = new LRUCache<string, Template>({ max: 500, maxSize: 4_000_000, sizeCalculation: (_, source) => source.length + 1 });

function template(source: string, options: TemplateOptions | undefined): Template {
  const key = options ? `${JSON.stringify(options)}${source}` : source;
  const known = compiled.get(key);
  if (known) return known;
  const made = compileTemplate(source, options);
  compiled.set(key, made);
  return made;
}

/** Renders the texts of a job. @throws TemplateError */
export function render({ texts, context, maxOutput, options }: RenderJob): Texts {
  const result: Texts = {};
  for (const [part, source] of Object.entries(texts)) {
    if (source === undefined) continue;
    // Each part gets its own copy, so that none can leave something behind for the next.
    const output = template(source, options)(JSON.parse(context) as Record<string, unknown>);
    if (Buffer.byteLength(output) > maxOutput) throw new TemplateError(`the ${part} is larger than ${maxOutput} bytes.`);
    result[part] = output;
  }
  return result;
}
