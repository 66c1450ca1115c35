import { host } from '@cadastre/service/host/host';
import { service } from './service.ts';

await host([service]);
