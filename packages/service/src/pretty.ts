const known = new Set(['level', 'time', 'service', 'msg', 'err']);

type Entry = {
  level?: string;
  time?: string;
  service?: string;
  msg?: string;
  err?: { stack?: string; message?: string };
};

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
    .map(([key, value]) => ` ${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('');
  const error = entry.err;
  const below = error?.stack ? `\n${error.stack}` : '';
  const beside = error && !error.stack ? ` (${error.message ?? JSON.stringify(error)})` : '';
  return `${time} ${String(entry.level).padEnd(5)} ${String(entry.service ?? '').padEnd(9)} ${String(entry.msg ?? '')}${beside}${rest}${below}\n`;
}
