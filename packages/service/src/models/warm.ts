// Loads what all services have in common, and their models: node packages/service/src/models/warm.ts FOLDER_OF_SERVICES
// With NODE_COMPILE_CACHE, Node keeps the compiled code; otherwise services that are started together for the first
// time would each compile all of it.
import { argv } from 'node:process';
import { loadCatalogue } from '@cadastre/model/load';
import './service.ts';

await loadCatalogue(argv[2]!);
