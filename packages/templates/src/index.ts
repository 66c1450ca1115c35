export { environmentOf } from './environment.ts';
export type { Explored, Jobs, Models, RenderJob, Shape, TemplateJobs, TemplateOptions, Texts, Want } from './jobs.ts';
export { checkTemplate } from './parse.ts';
export { createPool, JobError, LimitError, type Pool, type PoolOptions } from './pool.ts';
export { createRenderer, isTemplate, type Renderer } from './renderer.ts';
export { openRenderer, limitsFrom, type RendererOptions, templateSettings } from './settings.ts';
