import { secretHeaders, secretParameters } from '../models/concealed.ts';
import type { Headers } from './headers.ts';

const mask = '********';

/** Headers as they are kept: without secrets and signatures. */
export const maskedHeaders = (headers: Headers): Record<string, string> =>
  Object.fromEntries(headers.map(([name, value]) => [name, secretHeaders.test(name) ? mask : value]));

/** A URL as it is kept: without user, password, and the parameters that look like secrets. */
export function maskedUrl(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed) return url;
  if (!parsed.username && !parsed.password && !parsed.search) return url;
  if (parsed.username) parsed.username = mask;
  if (parsed.password) parsed.password = mask;
  for (const name of [...parsed.searchParams.keys()])
    if (secretParameters.test(name)) parsed.searchParams.set(name, mask);
  return parsed.toString();
}
