import { generateKeyPairSync } from 'node:crypto';

/**
 * A key pair for signing (Ed25519), in the format of the settings: PEM without its first line, its last line, and line
 * breaks. Uses nothing but Node.
 */
export function newKeyPair(): { private: string; public: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    private: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
    public: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
  };
}
