import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Model } from '../types/model.ts';
import { Catalogue } from './catalogue.ts';

/**
 * Imports the declarations of every service below a folder: those in `<service>/models/`. A new model is a new file and
 * nothing else; which folder it lies in is its service's affair.
 */
export async function loadCatalogue(servicesFolder: string): Promise<Catalogue> {
  const services = readdirSync(servicesFolder, { withFileTypes: true })
    .filter((e) => e.isDirectory())
    .map((e) => e.name)
    .sort();
  return new Catalogue(
    await Promise.all(
      services.map(async (service) => ({ service, models: await loadModels(join(servicesFolder, service, 'models')) })),
    ),
  );
}

/** The models that the files of a folder and of those in it export, in the order of the files' names. */
async function loadModels(folder: string): Promise<Model[]> {
  let files: string[];
  try {
    files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((f) => f.endsWith('.ts') && !f.endsWith('.test.ts'))
      .sort((a, b) => (basename(a) < basename(b) ? -1 : basename(a) > basename(b) ? 1 : a < b ? -1 : 1));
  } catch {
    return [];
  }
  const modules = await Promise.all(
    files.map((f) => import(pathToFileURL(join(folder, f)).href) as Promise<Record<string, unknown>>),
  );
  return [...new Set(modules.flatMap((m) => Object.values(m).filter(isModel)))];
}

const isModel = (value: unknown): value is Model =>
  typeof value === 'object' && value !== null && 'table' in value && 'fields' in value && 'features' in value;
