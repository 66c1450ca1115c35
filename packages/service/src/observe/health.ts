import { createServer, type Server, type ServerResponse } from 'node:http';
import { Registry } from 'prom-client';

export type HealthOptions = {
  /** In Prometheus' text format. */
  readonly metrics: () => Promise<string>;
  /** Why the process cannot serve at present; undefined when it can. */
  readonly problem: () => Promise<string | undefined>;
};

/**
 * What operators need from a process: liveness, readiness, and metrics. It is served on a port of its own, so that none
 * of this is available on the ports for clients and other services.
 */
export function createHealthServer({ metrics, problem }: HealthOptions): Server {
  const json = (res: ServerResponse, status: number, body: object) =>
    end(res, status, 'application/json', JSON.stringify(body));
  const answers: Record<string, (res: ServerResponse) => Promise<unknown>> = {
    '/health/live': async (res) => json(res, 200, { status: 'ok' }),
    '/health/ready': async (res) => {
      const detail = await problem();
      json(
        res,
        detail === undefined ? 200 : 503,
        detail === undefined ? { status: 'ok' } : { status: 'unavailable', detail },
      );
    },
    '/metrics': async (res) => end(res, 200, Registry.PROMETHEUS_CONTENT_TYPE, await metrics()),
  };
  return createServer((req, res) => {
    const answer = answers[(req.url ?? '').split('?', 1)[0]!];
    if (!answer) return json(res, 404, { detail: 'Not found.' });
    if (req.method !== 'GET' && req.method !== 'HEAD')
      return json(res, 405, { detail: `Method "${req.method}" not allowed.` });
    answer(res).catch((error: unknown) => json(res, 500, { detail: String((error as Error).message) }));
  });
}

function end(res: ServerResponse, status: number, type: string, body: string): void {
  res
    .writeHead(status, {
      'Content-Type': type,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'Content-Length': Buffer.byteLength(body),
    })
    .end(body);
}
