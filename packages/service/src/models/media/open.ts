import { join } from 'node:path';
import type { MediaStore } from '@cadastre/rest';
import type { Config } from '../../settings/config.ts';
import { diskStore } from './disk.ts';
import { s3Store } from './s3.ts';

/**
 * Opens the store for files that the settings select: an S3-compatible store, otherwise a folder. All processes of a
 * service see the same files.
 */
export function openMedia(config: Config): MediaStore {
  const {
    mediaS3Url: url,
    mediaS3Region: region,
    mediaS3AccessKey: accessKey,
    mediaS3SecretKey: secretKey,
    mediaS3TimeoutMs: timeoutMs,
  } = config;
  if (url && accessKey && secretKey)
    return s3Store({ url, region, accessKey, secretKey: secretKey.reveal(), timeoutMs });
  return diskStore(config.mediaDir ?? join(config.dataDir, 'media'));
}
