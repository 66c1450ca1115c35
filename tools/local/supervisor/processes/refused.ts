import { Agent, fetch } from 'undici';

/**
 * Whether the database has another token than the generated one, because the superuser is older than this DATA_DIR.
 * @param base where the system is reached from here
 * @param certificate with which it speaks TLS
 */
export async function isRefused(base: string, certificate: string | undefined, token: string): Promise<boolean> {
  // By TLS it is the certificate itself that proves that this is ours: it need not be for this address, nor from
  // somebody whom this machine knows.
  const connect =
    certificate === undefined
      ? {}
      : { ca: certificate, allowPartialTrustChain: true, checkServerIdentity: () => undefined };
  const dispatcher = new Agent({ connect });
  const response = await fetch(`${base}/api/users/tokens/?limit=1`, {
    dispatcher,
    headers: { Authorization: `Token ${token}` },
    signal: AbortSignal.timeout(5_000),
  }).catch(() => undefined);
  return response?.status === 401 || response?.status === 403;
}
