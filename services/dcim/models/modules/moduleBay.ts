import { boolean, type Cell, countedAs, only, path, ref, referrer, type Rule, text } from '@cadastre/model';
import { modularComponent } from '../groups/component.ts';

const isFalse = (cell: Cell | undefined): boolean => cell === 'f' || cell === 'false';

/** A module is not installed in a bay that came with it, nor in one further in. */
const notWithinItself: Rule = async ({ id, module }, { related }) => {
  const bays = new Set([id]);
  const seen = new Set<unknown>();
  for (
    let at = await related('dcim.module', module);
    at;
    at = await related('dcim.module', (await related('dcim.modulebay', at['module_bay']))?.['module'])
  ) {
    if (seen.has(at['id']) || bays.has(at['module_bay']))
      return { __all__: ['A module bay cannot belong to a module installed within it.'] };
    seen.add(at['id']);
    bays.add(at['module_bay']);
  }
  return undefined;
};

/** A bay of a module lies below the bay that the module is in. */
const liesInBayOfItsModule: Rule = async (bay, { related }) => {
  bay['parent'] = (await related('dcim.module', bay['module']))?.['module_bay'] ?? null;
  return undefined;
};

/** Where a device, or a module in it, takes a module in. */
export const moduleBay = modularComponent('dcim.modulebay', {
  path: 'module-bays',
  pages: { columns: ['device', 'label', 'position', 'installed_module', 'enabled', 'description'] },
  label: 'module bay',
  tree: true,
  brief: ['installed_module', 'name', 'enabled', 'description', '_occupied'],
  nested: ['name'],
  fields: {
    module: ref('dcim.module', { optional: true, onDelete: 'cascade', form: only() }),
    position: text({ max: 30, optional: true }),
    enabled: boolean({ default: true }),
    // As in the reference, the field is declared as writable, but a value that is written is ignored.
    installed_module: {
      ...referrer('dcim.module', 'module_bay', { form: only('serial', 'description') }),
      metadata: () => ({ type: 'nested object', required: false, read_only: false }),
    },
    _occupied: countedAs(
      'dcim.module',
      'module_bay',
      ['enabled'],
      (modules, [enabled]) => String(modules > 0 || isFalse(enabled)),
      { type: 'boolean' },
    ),
    parent: ref('dcim.modulebay', { optional: true, readOnly: true, hidden: true, onDelete: 'cascade' }),
  },
  unique: [{ fields: ['device', 'module', 'name'], where: 'module_id is not null' }],
  filters: { parent_id: path('parent'), installed_module_id: path('<dcim.module.module_bay') },
  rules: [notWithinItself, liesInBayOfItsModule],
});
