import { choice, column, model, primary, primaryFields, text } from '@cadastre/model';
import { serviceProtocol } from '../choices.ts';
import { listening, listensSomewhere, ports } from './ports.ts';

/** A kind of service that several hosts offer. */
export const serviceTemplate = model('ipam.servicetemplate', {
  path: 'service-templates',
  pages: { columns: ['protocol', 'ports', 'description'] },
  label: 'application service template',
  className: 'ServiceTemplate',
  ordering: ['name'],
  features: primary,
  brief: ['name', 'protocol', 'ports', 'description'],
  search: ['name', 'description'],
  display: listening,
  fields: {
    name: text({ max: 100, unique: true }),
    protocol: choice(serviceProtocol, { optional: true, one: true }),
    ...ports(),
    ...primaryFields(),
  },
  filters: { port: column('ports', 'numbers') },
  rules: [listensSomewhere],
});
