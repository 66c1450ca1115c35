import { readFileSync, statSync } from 'node:fs';

/** A CA file that cannot be used; the message is for the user. */
export class CertificateError extends Error {
  override readonly name = 'CertificateError';
}

// Far more than any bundle of certificates.
const maxBytes = 4 * 1024 * 1024;

/**
 * The certificates of a CA file. Whoever configures a webhook names the file, so only a plain one is read, and nothing of it is told.
 * @throws CertificateError
 */
export function readCertificates(path: string): string {
  try {
    const about = statSync(path);
    if (!about.isFile() || about.size > maxBytes) throw new CertificateError('The CA file is not a file of certificates');
    const text = readFileSync(path, 'utf8');
    if (!text.includes('-----BEGIN CERTIFICATE-----')) throw new CertificateError('The CA file is not a file of certificates');
    return text;
  } catch (error) {
    if (error instanceof CertificateError) throw error;
    throw new CertificateError('The CA file cannot be read');
  }
}
