const known = new Set(['level', 'time', 'service', 'msg', 'err']);

type Entry = {
  level?: string;
  time?: string;
  service?: string;
  msg?: string;
  err?: { stack?: string; message?: string };
};

// Also characters that move a terminal's cursor, and those that editors treat as the end of a line.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are meant
const control = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;
const escapeOf = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
/** Puts text on one line: what a client has sent must not look like a log line of ours. */
const oneLine = (text: string): string => text.replace(control, escapeOf);

/** The lines of a stack stay separate, but no line of its message may begin like a log line of ours. */
const furtherIn = (stack: string): string =>
  stack
    .split('\n')
    .map(oneLine)
    .map((line, at) => (at === 0 || /^\s/.test(line) ? line : `    ${line}`))
    .join('\n');

/**
 * One JSON log line as a person reads it: `12:00:01.123 info  dcim  message key=value`, a stack below it, an error
 * without one behind the message.
 */
export function prettyLine(line: string): string {
  let entry: Entry;
  try {
    entry = JSON.parse(line) as Entry;
  } catch {
    return line;
  }
  const time = String(entry.time ?? '').slice(11, 23);
  const rest = Object.entries(entry)
    .filter(([key]) => !known.has(key))
    .map(([key, value]) => ` ${oneLine(key)}=${oneLine(typeof value === 'string' ? value : JSON.stringify(value))}`)
    .join('');
  const error = entry.err;
  const below = error?.stack ? `\n${furtherIn(error.stack)}` : '';
  const beside = error && !error.stack ? ` (${oneLine(error.message ?? JSON.stringify(error))})` : '';
  return `${time} ${String(entry.level).padEnd(5)} ${String(entry.service ?? '').padEnd(9)} ${oneLine(String(entry.msg ?? ''))}${beside}${rest}${below}\n`;
}
