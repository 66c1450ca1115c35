import type { TemplateOptions } from '../jobs/jobs.ts';

const OPTIONS = {
  trim_blocks: 'trimBlocks',
  lstrip_blocks: 'lstripBlocks',
  keep_trailing_newline: 'keepTrailingNewline',
} as const;

/**
 * Parameters of a Jinja2 environment, as templates store them, as options here. What has no meaning here is left out.
 */
export function environmentOf(params: unknown): TemplateOptions {
  if (params === null || typeof params !== 'object') return {};
  return Object.fromEntries(
    Object.entries(OPTIONS).flatMap(([name, option]) =>
      Object.hasOwn(params, name) ? [[option, Boolean((params as Record<string, unknown>)[name])]] : [],
    ),
  );
}
