import {
  annotated,
  type Definition,
  description,
  type Feature,
  type Field,
  helped,
  model,
  type Model,
  type Pages,
  ref,
  type Rule,
  text,
  timestamps,
} from '@cadastre/model';

const features: Feature[] = ['changeLogging', 'eventRules', 'timestamps'];

/** The help text of names and labels that may contain tokens for the position of the component. */
export const TOKENS =
  '{vc_position} stands for the position in the virtual chassis, or for what follows a colon ({vc_position:1}; otherwise 0) where there is none; {module}, with module types, for the position of the module bay.';

const names = (): Record<string, Field> => ({
  name: helped(TOKENS, text({ max: 64, natural: true })),
  label: helped(TOKENS, text({ max: 64, optional: true })),
});
const typeOfDevice = { onDelete: 'cascade' } as const;

type Parts = Pick<Definition, 'path' | 'label' | 'fields'> & Omit<Partial<Definition>, 'pages'> & { pages?: Pages };

/** A template cannot move to another device type. */
const staysWithType: Rule = ({ device_type: type }, { before }) =>
  before && before['device_type'] !== type
    ? { device_type: ['Component templates cannot be moved to a different device type.'] }
    : undefined;

/** A template belongs to a device type or to a module type. */
const hasOneType: Rule = ({ device_type: device, module_type: module }) => {
  if (device && module)
    return { __all__: ['A component template cannot be associated with both a device type and a module type.'] };
  return device || module
    ? undefined
    : { __all__: ['A component template must be associated with either a device type or a module type.'] };
};

/** What every template of a component has; `fields` come between the label and the description. */
const template = (
  name: string,
  types: Record<string, Field>,
  ordering: string[],
  rules: Rule[],
  { fields, ...d }: Parts,
): Model =>
  model(name, {
    ordering,
    features,
    displayPath: false,
    belongsTo: Object.keys(types),
    brief: ['name', 'description'],
    display: annotated('name', 'label'),
    search: ['name', 'label', 'description'],
    ...d,
    pages: {
      ...d.pages,
      columns: [...Object.keys(types), ...(d.pages?.columns ?? ['label', ...Object.keys(fields), 'description'])],
    },
    fields: {
      ...types,
      ...names(),
      ...('description' in fields ? fields : { ...fields, ...description() }),
      ...timestamps(),
    },
    unique: d.unique ?? Object.keys(types).map((type) => ({ fields: [type, 'name'], where: `${type}_id is not null` })),
    rules: [...rules, staysWithType, ...(d.rules ?? [])],
    filters: { device_type: false, ...d.filters },
  });

/** A template for components of devices and modules. */
export const componentTemplate = (name: string, d: Parts): Model =>
  template(
    name,
    {
      device_type: ref('dcim.devicetype', { ...typeOfDevice, optional: true }),
      module_type: ref('dcim.moduletype', { onDelete: 'cascade', optional: true }),
    },
    ['device_type', 'module_type', 'name'],
    [hasOneType],
    d,
  );

/** A template for components of devices only. */
export const deviceTemplate = (name: string, d: Parts): Model =>
  template(name, { device_type: ref('dcim.devicetype', typeOfDevice) }, ['device_type', 'name'], [], d);

/** A template refers only to templates of the same type; `what` names them in the message. */
export const sameType =
  (field: string, type: string, what: string, key: string): Rule =>
  async (object, context) => {
    const other = await context.related(type, object[field]);
    if (!other) return undefined;
    const wrong = (['device_type', 'module_type'] as const).find(
      (name) => object[name] && other[name] !== object[name],
    );
    if (!wrong) return undefined;
    return {
      [key]: [
        `${what} (${await context.displayOf(type, Number(object[field]))}) must belong to the same ${wrong.replace('_', ' ')}`,
      ],
    };
  };
