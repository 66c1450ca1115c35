import { randomInt } from 'node:crypto';
import { LONGEST_PATH, type Upload, type Values } from '@cadastre/model';
import { mediaTypeOf } from './types.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const RANDOM = 10;

/** A path that no file has had: what the object calls it, and some random letters. */
export function pathFor({ folder, named }: Upload, object: Values, fileName: string, extension: string): string {
  const stem = fileName.replace(/^.*[\\/]/s, '').replace(/\.[^.]*$/, '');
  const random = Array.from({ length: RANDOM }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  const end = `_${random}.${extension}`;
  const start = `${folder}/`;
  return start + plain(named ? named(object, stem) : stem).slice(0, LONGEST_PATH - start.length - end.length) + end;
}

/** Whether a path could be one of `pathFor`, of a picture of the kind. */
export const isPathOf = ({ folder }: Upload, path: string, extension: string): boolean =>
  path.length <= LONGEST_PATH &&
  path.startsWith(`${folder}/`) &&
  /^[A-Za-z0-9][A-Za-z0-9_.-]*\.[A-Za-z]+$/.test(path.slice(folder.length + 1)) &&
  mediaTypeOf(path.toLowerCase()) === mediaTypeOf(`x.${extension}`);

/** Letters, digits, hyphens and underscores, which mean nothing to anybody who reads a path. */
const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/^_+|_+$/g, '') || 'unnamed';
