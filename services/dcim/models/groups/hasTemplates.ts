import { counter, type Field, type Filter } from '@cadastre/model';
import { pointedAt } from './filters.ts';

/**
 * The component templates of device types and module types: the templates, their number, and the filter by whether
 * there are any.
 */
const KINDS = {
  console_port: ['dcim.consoleporttemplate', 'console_ports'],
  console_server_port: ['dcim.consoleserverporttemplate', 'console_server_ports'],
  power_port: ['dcim.powerporttemplate', 'power_ports'],
  power_outlet: ['dcim.poweroutlettemplate', 'power_outlets'],
  interface: ['dcim.interfacetemplate', 'interfaces'],
  front_port: ['dcim.frontporttemplate', undefined],
  rear_port: ['dcim.rearporttemplate', undefined],
  device_bay: ['dcim.devicebaytemplate', 'device_bays'],
  module_bay: ['dcim.modulebaytemplate', 'module_bays'],
  inventory_item: ['dcim.inventoryitemtemplate', 'inventory_items'],
} as const;

export type TemplateKind = keyof typeof KINDS;

/** The number of templates of each kind; `field` is the templates' reference to the type. */
export const templateCounts = (field: string, kinds: readonly TemplateKind[]): Record<string, Field> =>
  Object.fromEntries(kinds.map((kind) => [`${kind}_template_count`, counter(KINDS[kind][0], field)]));

/** Whether a type has templates of a kind. */
export const templateFilters = (field: string, kinds: readonly TemplateKind[]): Record<string, Filter> => ({
  ...Object.fromEntries(
    kinds.flatMap((kind) => (KINDS[kind][1] ? [[KINDS[kind][1], pointedAt([KINDS[kind][0], `${field}_id`])]] : [])),
  ),
  pass_through_ports: pointedAt(['dcim.frontporttemplate', `${field}_id`], ['dcim.rearporttemplate', `${field}_id`]),
});
