import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Catalogue } from './catalogue.ts';
import type { Model } from '../model.ts';

/**
 * Imports the declarations of every service below a folder: `<service>/models/*.ts`. A new model is a new file and
 * nothing else.
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

/** The models that the files of a folder export. */
async function loadModels(folder: string): Promise<Model[]> {
  let files: string[];
  try {
    files = readdirSync(folder)
      .filter((f) => f.endsWith('.ts') && !f.endsWith('.test.ts'))
      .sort();
  } catch {
    return [];
  }
  const modules = await Promise.all(
    files.map((f) => import(pathToFileURL(join(folder, f)).href) as Promise<Record<string, unknown>>),
  );
  return modules.flatMap((m) => Object.values(m).filter(isModel));
}

const isModel = (value: unknown): value is Model =>
  typeof value === 'object' && value !== null && 'table' in value && 'fields' in value && 'features' in value;
