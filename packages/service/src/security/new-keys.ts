import { generateKeyPairSync } from 'node:crypto';

/**
 * A key pair for signing (Ed25519), as settings have it: PEM without its first line, its last, and its breaks. Needs
 * nothing but Node.
 */
export function newKeyPair(): { private: string; public: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    private: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
    public: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
  };
}
