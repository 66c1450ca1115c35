import { listenOn, unlisten } from '../../processes/free-ports.ts';

/** Says why a port cannot be listened on; undefined when it can. */
export async function portProblem(port: number, host?: string): Promise<string | undefined> {
  try {
    await unlisten(await listenOn(port, host));
    return undefined;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EADDRINUSE')
      return `Port ${port} is in use by another program. Stop that program, or set PORT to a free port, for example: PORT=${port === 8000 ? 8080 : port + 1} npm start`;
    if (code === 'EACCES') return `Port ${port} may not be used by this account. Set PORT to a port above 1023.`;
    if (code === 'EADDRNOTAVAIL') return `LISTEN_HOST ${host} is no address of this machine.`;
    return `Cannot listen on port ${port}: ${(error as Error).message}`;
  }
}

/** The host part of a URL at which this machine reaches what listens on `host`. */
export function reachableHost(host: string | undefined): string {
  if (host === undefined || host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
