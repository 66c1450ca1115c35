import autocannon from 'autocannon';
import type { Figure } from '../report/figures.ts';
import { type Measured, rate, type RateOptions } from '../report/report.ts';

/** How long each reading is measured, and how long it runs before. */
export const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 5);
const WARM_UP = 5;

/** Reads one address a fixed number of times, to warm up before a measurement. */
export const warm = (url: string, headers: Record<string, string>, amount: number, connections = 8) =>
  autocannon({ url, headers, amount, connections });

/** Reads one address for some seconds over some connections. `answered` is the number of requests. */
export async function read(
  url: string,
  headers: Record<string, string>,
  seconds: number,
  connections = 8,
): Promise<Figure & { answered: number }> {
  const result = await autocannon({ url, headers, duration: seconds, connections });
  return { ...figureOf(result), answered: result.requests.total };
}

/** A line of the report: an address read after a warm-up. */
export async function reading(
  what: string,
  url: string,
  headers: Record<string, string>,
  options: RateOptions = {},
): Promise<Measured> {
  await read(url, headers, WARM_UP);
  return rate(what, await read(url, headers, SECONDS), options);
}

/**
 * Writes with a body that is new for each request, a fixed number of times. `answered` is the moment of the last
 * answer: autocannon itself ends on a whole second.
 */
export async function write(
  url: string,
  headers: Record<string, string>,
  bodyOf: (n: number) => unknown,
  amount: number,
  connections: number,
  method: 'POST' | 'PATCH' = 'POST',
  perSecond?: number,
): Promise<Figure & { answered: number }> {
  let n = 0;
  let answered = 0;
  let clients = 0;
  const started = performance.now();
  const result = await autocannon({
    url,
    connections,
    amount,
    method,
    ...(perSecond === undefined ? {} : { overallRate: perSecond }),
    headers: { ...headers, 'content-type': 'application/json' },
    setupClient: (client) => {
      // Each connection has its share and takes no number once that is used up, so that the total is not exceeded.
      let left = Math.floor(amount / connections) + (clients++ < amount % connections ? 1 : 0);
      const next = () => {
        if (left-- > 0) client.setBody(JSON.stringify(bodyOf(++n)));
      };
      next();
      client.on('response', () => {
        answered = performance.now();
        next();
      });
    },
  });
  return { ...figureOf(result), perSecond: amount / ((answered - started) / 1000), answered };
}

const figureOf = (result: autocannon.Result): Figure => ({
  perSecond: result.requests.average,
  p50: result.latency.p50,
  p99: result.latency.p99,
  failed: result.non2xx + result.errors,
});
