import { invalid, parameter } from '@cadastre/rest';

/** The format of a response that can be data or a drawing. */
export type Rendering = 'json' | 'svg';

export const RENDERINGS: readonly Rendering[] = ['json', 'svg'];

/** The media type of each format. */
export const MEDIA_TYPES: Readonly<Record<Rendering, string>> = { json: 'application/json', svg: 'image/svg+xml' };

/**
 * The headers of a response in one of these formats. A drawing has inline styles; opened as a page, it may use those
 * and load nothing else.
 */
export const renderedHeaders = (rendering: Rendering): Record<string, string> => ({
  'Content-Type': MEDIA_TYPES[rendering],
  ...(rendering === 'svg'
    ? {
        'Content-Security-Policy':
          "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; frame-ancestors 'none'",
      }
    : {}),
});

/** The parameter by which a client chooses the format, as the API document describes it. */
export const renderParameter = (description: string) =>
  parameter('render', { type: 'string', enum: [...RENDERINGS], default: 'json' }, description);

/** @throws Refusal 400 for another value */
export function renderingOf(given: URLSearchParams): Rendering {
  const value = given.getAll('render').at(-1)?.trim() || 'json';
  if (!RENDERINGS.includes(value as Rendering)) throw invalid({ render: [`"${value}" is not a valid choice.`] });
  return value as Rendering;
}
