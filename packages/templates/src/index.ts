export { environmentOf } from './pool/environment.ts';
export type {
  Jobs,
  Models,
  TemplateJobs,
} from './jobs/jobs.ts';
export { checkTemplate } from './language/parse.ts';
export { createPool, LimitError, type Pool } from './pool/pool.ts';
export { createRenderer, isTemplate, type Renderer } from './pool/renderer.ts';
export { openRenderer, type RendererOptions } from './pool/open.ts';
