// What must be true of a module.
import { inOrder, type Rule } from '@cadastre/model';
import { chassisPosition, inChassis } from '../devices/chassisNames.ts';
import { KINDS, templatesOf } from '../types/instantiate.ts';
import { namesPlace, positionsOf, resolved, Unresolvable } from './moduleNames.ts';

const CLASS: Record<string, string> = {
  consoleport: 'ConsolePort',
  consoleserverport: 'ConsoleServerPort',
  powerport: 'PowerPort',
  poweroutlet: 'PowerOutlet',
  interface: 'Interface',
  rearport: 'RearPort',
  frontport: 'FrontPort',
  modulebay: 'ModuleBay',
};

const bayOfItsDevice: Rule = async ({ device, module_bay }, { related, displayOf }) => {
  const bay = await related('dcim.modulebay', module_bay);
  if (!bay || bay['device'] === device) return undefined;
  return {
    __all__: [
      `Module must be installed within a module bay belonging to the assigned device (${await displayOf('dcim.device', Number(device))}).`,
    ],
  };
};

const bayIsEnabled: Rule = async ({ module_bay }, { before, related }) => {
  const bay = before?.['module_bay'] === module_bay ? null : await related('dcim.modulebay', module_bay);
  return bay?.['enabled'] === false ? { __all__: ['Cannot install a module in a disabled module bay.'] } : undefined;
};

/** A module is not installed in a bay that came with it, nor in one further down. */
const notWithinItself: Rule = async ({ id, module_bay }, { related }) => {
  const modules = new Set([id]);
  const seen = new Set<unknown>();
  for (let bay = await related('dcim.modulebay', module_bay); bay && !seen.has(bay['id']); ) {
    seen.add(bay['id']);
    if (typeof id === 'number' && modules.has(bay['module'] ?? undefined))
      return { __all__: ['A module bay cannot belong to a module installed within it.'] };
    bay = await related('dcim.modulebay', (await related('dcim.module', bay['module']))?.['module_bay']);
  }
  return undefined;
};

/** The names of a new module's components are free, or belong to components that it may take over. */
const componentsFit: Rule = async (
  { device, module_bay, module_type, replicate_components: replicate, adopt_components: adopt },
  context,
) => {
  if (context.before || (replicate === false && adopt !== true)) return undefined;
  const wrong = (message: string) => ({ non_field_errors: [message] });
  const bay = await context.related('dcim.modulebay', module_bay);
  const positions = await positionsOf(bay, context);
  const member = chassisPosition(await context.related('dcim.device', device));
  for (const { name: kind } of KINDS) {
    const templates = (await templatesOf(kind, 'module_type', [module_type!], context)).get(module_type!)!;
    if (!templates.length) continue;
    const installed = new Map(
      (await context.found(`dcim.${kind}`, 'device', device)).map((component) => [component['name'], component]),
    );
    for (const template of templates) {
      const name = String(template['name']);
      if (namesPlace(name) && !bay?.['position'])
        return wrong('Cannot install module with placeholder values in a module bay with no position defined.');
      let known: typeof template | undefined;
      try {
        known = installed.get(inChassis(resolved(name, positions), member));
      } catch (error) {
        if (error instanceof Unresolvable) return wrong(error.message);
        throw error;
      }
      if (!known) continue;
      if (adopt === true && known['module'] !== null)
        return wrong(`Cannot adopt ${CLASS[kind]} ${known['name']} as it already belongs to a module`);
      if (adopt !== true) return wrong(`A ${CLASS[kind]} named ${known['name']} already exists`);
    }
  }
  return undefined;
};

export const moduleRules = inOrder(bayOfItsDevice, bayIsEnabled, notWithinItself, componentsFit);
