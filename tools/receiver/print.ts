import { stripVTControlCharacters, styleText } from 'node:util';
import { type Checked, verdictOf } from './signature.ts';

/** A request as it came. */
export interface Delivery {
  number: number;
  time: Date;
  method: string;
  path: string;
  /** Names as they were written, in their order. */
  headers: readonly (readonly [name: string, value: string])[];
  body: Buffer;
  /** The result of checking its signatures; null when no secret was given. */
  checked: readonly Checked[] | null;
}

type Style = Parameters<typeof styleText>[0];

// A sender must not be able to control the terminal.
const safe = (text: string): string => stripVTControlCharacters(text).replaceAll(/[^\P{Cc}\t\n]/gu, '\ufffd');

const colours: Record<string, Style> = { created: 'green', updated: 'yellow', deleted: 'red' };

/** A delivery for people. */
export function printed(delivery: Delivery, colour: boolean): string {
  const paint = (style: Style, text: string) => (colour ? styleText(style, text, { validateStream: false }) : text);
  const { value, text } = body(delivery.body);
  const lines = [
    `${paint('bold', `#${delivery.number}  ${safe(delivery.method)} ${safe(delivery.path)}`)}  ${paint('dim', delivery.time.toISOString())}${summary(value, paint)}`,
    ...delivery.headers.map(([name, content]) => `${paint('cyan', safe(name))}: ${safe(content)}`),
    ...(delivery.checked ?? []).map(({ header, verdict }) =>
      paint(verdict === 'valid' ? 'green' : 'red', `Signature ${verdict} (${header})`),
    ),
    ...(delivery.checked?.length === 0 ? [paint('red', 'Signature missing')] : []),
  ];
  return `${lines.join('\n')}\n${text === '' ? '' : `\n${text}\n`}\n`;
}

/** A delivery for programs: one line. */
export function jsonLine(delivery: Delivery): string {
  const { value } = body(delivery.body);
  return `${JSON.stringify({
    number: delivery.number,
    time: delivery.time.toISOString(),
    method: delivery.method,
    path: delivery.path,
    headers: Object.fromEntries(delivery.headers),
    body: value === undefined ? delivery.body.toString('utf8') : value,
    ...(delivery.checked === null
      ? {}
      : {
          signature: verdictOf(delivery.checked),
          signatures: Object.fromEntries(delivery.checked.map(({ header, verdict }) => [header, verdict])),
        }),
  })}\n`;
}

/** JSON is set out over several lines. */
function body(bytes: Buffer): { value: unknown; text: string } {
  const text = bytes.toString('utf8');
  try {
    const value: unknown = JSON.parse(text);
    return { value, text: safe(JSON.stringify(value, null, 2)) };
  } catch {
    return { value: undefined, text: safe(text) };
  }
}

function summary(value: unknown, paint: (style: Style, text: string) => string): string {
  if (typeof value !== 'object' || value === null || !('event' in value) || !('object_type' in value)) return '';
  const event = String(value.event);
  const display =
    'data' in value && typeof value.data === 'object' && value.data !== null && 'display' in value.data
      ? ` ${String(value.data.display)}`
      : '';
  return `  ${paint(colours[event] ?? 'bold', safe(event))} ${safe(String(value.object_type))}${safe(display)}`;
}
