const textOf = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(textOf).join(' ')
    : typeof value === 'object' && value !== null
      ? Object.values(value).map(textOf).join(' ')
      : String(value);

/** What the API says about a write that it refused; undefined for any other error. */
export function refusalText(error: unknown): string | undefined {
  const { status, body } = error as { status?: unknown; body?: unknown };
  return typeof status === 'number' && status >= 400 && status < 500 ? textOf(body) : undefined;
}
