// Hosts several services in one process: node packages/service/src/host/main.ts FOLDER_OF_SERVICES NAME…
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadCatalogue } from '@cadastre/model/load';
import { host } from './host.ts';
import type { Service } from './service.ts';

const [folder = '', ...names] = process.argv.slice(2);
const moduleOf = async (name: string): Promise<Service> =>
  ((await import(pathToFileURL(join(resolve(folder), name, 'service.ts')).href)) as { service: Service }).service;

// A process that is started early has this loaded by the time it may go on.
const [services] = await Promise.all([Promise.all(names.map(moduleOf)), loadCatalogue(resolve(folder))]);
await host(services);
