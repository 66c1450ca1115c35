import { booleanOf, integerOf } from '@cadastre/model';
import { invalid, parameter } from '@cadastre/rest';
import { type Rendering, RENDERINGS, renderParameter } from '../render.ts';

export type Face = 'front' | 'rear';

/** How a client wants to see a rack. */
export interface Wanted {
  face: Face;
  render: Rendering;
  q: string | null;
  exclude: number | null;
  expandDevices: boolean;
  includeImages: boolean;
  /** Sizes of the drawing, in pixels. */
  sizes: Sizes;
}

export interface Sizes {
  unitWidth: number;
  unitHeight: number;
  legendWidth: number;
  marginWidth: number;
}

/** The largest size that a drawing may ask for, in pixels. */
const LARGEST = 5000;

/** What `parseWanted` understands, as the API document says it. */
export const PARAMETERS = [
  parameter('face', { type: 'string', enum: ['front', 'rear'], default: 'front' }),
  renderParameter('Units as JSON, or a drawing.'),
  parameter('q', { type: 'string' }, 'Units whose position or name contains this.'),
  parameter('exclude', { type: 'integer' }, 'Id of a device to leave out.'),
  parameter(
    'expand_devices',
    { type: 'boolean', default: true },
    'Show devices at each unit that they take, not only where they begin.',
  ),
  parameter('include_images', { type: 'boolean', default: true }, 'Images of device types in the drawing.'),
  ...['unit_width', 'unit_height', 'legend_width', 'margin_width'].map((name) =>
    parameter(name, { type: 'integer', maximum: LARGEST }, 'In pixels, for the drawing.'),
  ),
];

/** @throws Refusal 400 that names every parameter with a wrong value */
export function parseWanted(given: URLSearchParams): Wanted {
  const errors: Record<string, string[]> = {};
  const text = (name: string): string | undefined => given.getAll(name).at(-1)?.trim() || undefined;
  const choice = <T extends string>(name: string, offered: readonly T[]): T => {
    const value = text(name) ?? offered[0]!;
    if (!offered.includes(value as T)) errors[name] = [`"${value}" is not a valid choice.`];
    return value as T;
  };
  const integer = (name: string): number | undefined => {
    const value = text(name);
    const number = value === undefined ? undefined : integerOf(value);
    if (value !== undefined && number === undefined) errors[name] = ['A valid integer is required.'];
    return number;
  };
  const size = (name: string, usual: number, least: number): number => {
    const number = integer(name) ?? usual;
    if (number < least) errors[name] = [`Ensure this value is greater than or equal to ${least}.`];
    if (number > LARGEST) errors[name] = [`Ensure this value is less than or equal to ${LARGEST}.`];
    return number;
  };
  const boolean = (name: string): boolean => {
    const value = text(name);
    const truth = value === undefined ? true : booleanOf(value);
    if (truth === undefined) errors[name] = ['Must be a valid boolean.'];
    return truth ?? true;
  };
  const wanted: Wanted = {
    face: choice('face', ['front', 'rear']),
    render: choice('render', RENDERINGS),
    q: text('q') ?? null,
    exclude: integer('exclude') ?? null,
    expandDevices: boolean('expand_devices'),
    includeImages: boolean('include_images'),
    sizes: {
      unitWidth: size('unit_width', 220, 1),
      unitHeight: size('unit_height', 22, 1),
      legendWidth: size('legend_width', 30, 0),
      marginWidth: size('margin_width', 15, 0),
    },
  };
  if (Object.keys(errors).length) throw invalid(errors);
  return wanted;
}
