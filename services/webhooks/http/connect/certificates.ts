import { X509Certificate } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';

/**
 * A CA file cannot be used. The message does not say why: users who configure webhooks choose the file name, and must
 * not learn from errors which files the server has.
 */
export class CertificateError extends Error {
  override readonly name = 'CertificateError';
  constructor() {
    super('The CA file cannot be used: it must be a file of certificates in the folder that WEBHOOK_CA_DIR names');
  }
}

// Far more than any bundle of certificates.
const maxBytes = 4 * 1024 * 1024;

const within = (folder: string, path: string): boolean => {
  const rest = relative(folder, path);
  return rest !== '' && !isAbsolute(rest) && rest.split(/[\\/]/)[0] !== '..';
};

/**
 * The certificates of a CA file below a folder; a path that is not absolute begins there. Paths that lead elsewhere are
 * not even looked at, and links only followed as far as they stay inside.
 * @throws CertificateError
 */
export function readCertificates(folder: string | undefined, path: string): string {
  try {
    if (folder === undefined) throw new CertificateError();
    const root = realpathSync(folder);
    const asked = [folder, root]
      .map((from) => resolve(from, path))
      .find((each) => within(resolve(folder), each) || within(root, each));
    if (asked === undefined) throw new CertificateError();
    const real = realpathSync(asked);
    if (!within(root, real)) throw new CertificateError();
    const text = contentOf(real);
    // Files without certificates are rejected here, and not later by the error message of a connection.
    const certificates = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
    if (!certificates.length) throw new CertificateError();
    for (const each of certificates) new X509Certificate(each);
    return text;
  } catch {
    throw new CertificateError();
  }
}

function contentOf(path: string): string {
  // Opening a pipe would block until another process writes to it.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    const about = fstatSync(file);
    if (!about.isFile() || about.size > maxBytes) throw new CertificateError();
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}
