import { type Entry, fromBuffer, type ZipFile } from 'yauzl';

/** An uploaded file: its path among the others, and its content. */
export interface Brought {
  path: string;
  bytes: Buffer;
}

/** The limits of one upload. */
export interface FileLimits {
  files: number;
  /** Size of all files together, unpacked. */
  bytes: number;
  /** The highest compression ratio of a file that is not small. */
  ratio: number;
}

/** Why an upload is refused. */
export type ZipFault =
  | 'importZip'
  | 'importZipEncrypted'
  | 'importZipName'
  | 'importFiles'
  | 'importFilesSize'
  | 'importZipRatio';

export class BadZip extends Error {
  override readonly name = 'BadZip';
  readonly text: ZipFault;
  readonly said: Readonly<Record<string, string | number>>;
  constructor(text: ZipFault, said: Readonly<Record<string, string | number>> = {}) {
    super(text);
    this.text = text;
    this.said = said;
  }
}

/** Up to this size, the compression ratio is not limited. */
const SMALL = 64 * 1024;
const ENCRYPTED = 1;

export const isZip = (bytes: Buffer): boolean => bytes.length > 4 && bytes.readUInt32LE(0) === 0x04034b50;

/**
 * The files of an archive, one after the other; archives inside it are not unpacked. The sizes that the archive
 * declares are checked before anything is unpacked, and enforced during unpacking. @throws BadZip
 */
export async function unzipped(bytes: Buffer, limits: FileLimits, gone: AbortSignal): Promise<Brought[]> {
  const zip = await opened(bytes);
  try {
    if (zip.entryCount > limits.files) throw new BadZip('importFiles', { count: limits.files });
    const entries = await entriesOf(zip, limits);
    const files: Brought[] = [];
    for (const entry of entries) {
      gone.throwIfAborted();
      files.push({ path: entry.fileName, bytes: await contentOf(zip, entry) });
    }
    return files;
  } finally {
    zip.close();
  }
}

/** Hidden files and `__MACOSX`, which operating systems add to archives. */
const isAside = (path: string): boolean => path.split('/').some((part) => part === '__MACOSX' || part.startsWith('.'));

const opened = (bytes: Buffer): Promise<ZipFile> =>
  new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true, validateEntrySizes: true, strictFileNames: true }, (error, zip) =>
      error ? reject(new BadZip('importZip', { text: error.message })) : resolve(zip),
    );
  });

function entriesOf(zip: ZipFile, { files, bytes, ratio }: FileLimits): Promise<Entry[]> {
  const entries: Entry[] = [];
  let [seen, sum] = [0, 0];
  return new Promise((resolve, reject) => {
    const refuse = (fault: BadZip): void => {
      zip.removeAllListeners('entry');
      reject(fault);
    };
    zip.on('error', (error: Error) =>
      refuse(
        new BadZip(/file name|path/i.test(error.message) ? 'importZipName' : 'importZip', { text: error.message }),
      ),
    );
    zip.on('end', () => resolve(entries));
    zip.on('entry', (entry: Entry) => {
      const { fileName: name, uncompressedSize, compressedSize, generalPurposeBitFlag } = entry;
      seen += 1;
      sum += uncompressedSize;
      if (seen > files) return refuse(new BadZip('importFiles', { count: files }));
      if (sum > bytes) return refuse(new BadZip('importFilesSize', { count: bytes }));
      if (generalPurposeBitFlag & ENCRYPTED) return refuse(new BadZip('importZipEncrypted', { name }));
      if (uncompressedSize > SMALL && uncompressedSize > ratio * compressedSize)
        return refuse(new BadZip('importZipRatio', { name, count: ratio }));
      if (!name.endsWith('/') && !isAside(name)) entries.push(entry);
      zip.readEntry();
    });
    zip.readEntry();
  });
}

/** Unpacking runs in the thread pool, and stops if more comes out than the archive declares. */
const contentOf = (zip: ZipFile, entry: Entry): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const fail = (error: Error): void =>
      reject(new BadZip('importZip', { text: `${entry.fileName}: ${error.message}` }));
    zip.openReadStream(entry, (error, stream) => {
      if (error) return fail(error);
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('error', fail);
      stream.on('end', () => resolve(Buffer.concat(chunks)));
    });
  });
