export { environmentOf } from './pool/environment.ts';
export type {
  Explored,
  Jobs,
  Models,
  RenderJob,
  Shape,
  TemplateJobs,
  TemplateOptions,
  Texts,
  Want,
} from './jobs/jobs.ts';
export { checkTemplate } from './language/parse.ts';
export { createPool, JobError, LimitError, type Pool, type PoolOptions } from './pool/pool.ts';
export { createRenderer, isTemplate, type Renderer } from './pool/renderer.ts';
export { openRenderer, type RendererOptions } from './pool/open.ts';
