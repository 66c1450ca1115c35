import {
  type Catalogue,
  type Field,
  type FieldMetadata,
  type Form,
  members,
  type Model,
  type Owned,
} from '@cadastre/model';

type Metadata = FieldMetadata & { label: string };

/** How the reference labels a field: words, the first with a capital. */
const labelOf = (name: string): string => {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const HEAD: Record<string, Metadata> = {
  id: { type: 'integer', required: false, read_only: true, label: 'ID' },
  url: { type: 'field', required: false, read_only: true, label: 'Url' },
  display_url: { type: 'field', required: false, read_only: true, label: 'Display url' },
  display: { type: 'field', required: false, read_only: true, label: 'Display' },
};

/** The body of an OPTIONS answer. `actions` tells what the requester may do. */
export function optionsOf(
  catalogue: Catalogue,
  model: Model,
  kind: 'List' | 'Instance',
  may: { POST: boolean; PUT: boolean },
) {
  const fields = () => fieldsOf(catalogue, model);
  const actions = { ...(may.POST && kind === 'List' ? { POST: fields() } : {}), ...(may.PUT ? { PUT: fields() } : {}) };
  return {
    name: `${titleOf(model)} ${kind}`,
    description: '',
    renders: ['application/json', 'text/html'],
    parses: ['application/json', 'multipart/form-data'],
    ...(Object.keys(actions).length ? { actions } : {}),
  };
}

export const titleOf = (model: Model): string =>
  model.label
    .split(' ')
    .map((w) => w.charAt(0).toUpperCase() + w.slice(1))
    .join(' ');

function fieldsOf(catalogue: Catalogue, model: Model): Record<string, Metadata> {
  const names = [
    ...members(model, 'nameable'),
    ...Object.entries(model.fields)
      .filter(([, f]) => f.writeOnly && !f.hidden)
      .map(([name]) => name),
  ];
  // As in the reference, what is accepted beside the fields (`add_tags` …) is in the API document only.
  return Object.fromEntries(
    names.map((name) => [name, HEAD[name] ?? metadataOf(catalogue, name, model.fields[name]!)]),
  );
}

function metadataOf(catalogue: Catalogue, name: string, field: Field): Metadata {
  const { type, required, read_only, ...more } = field.metadata();
  const metadata: Metadata = {
    type,
    required,
    read_only,
    label: labelOf(name),
    ...(field.help ? { help_text: field.help } : {}),
    ...more,
  };
  const { relation } = field;
  if (field.owned)
    return {
      ...metadata,
      child: { type: 'nested object', required: false, read_only: false, children: childrenOfOwned(field.owned) },
    };
  if (!relation || !catalogue.has(relation.to) || relation.form === 'id' || relation.form === 'key') return metadata;
  const target = catalogue.get(relation.to);
  if (!relation.many) return { ...metadata, children: childrenOf(target, relation.form) };
  return field.special === 'tags'
    ? {
        ...metadata,
        child: {
          type: 'nested object',
          required: false,
          read_only: false,
          children: childrenOf(target, relation.form),
        },
      }
    : metadata;
}

function childrenOfOwned({ from, members: names }: Owned): Record<string, Metadata> {
  return Object.fromEntries(
    Object.entries(names).map(([name, of]) => {
      const { type, required, read_only, ...more } = from.fields[of]!.metadata();
      return [name, { type, required, read_only, label: labelOf(name), ...more }];
    }),
  );
}

function childrenOf(model: Model, form: Form): Record<string, Metadata> {
  return Object.fromEntries(
    members(model, form).map((name) => {
      if (HEAD[name]) return [name, HEAD[name]];
      const {
        type,
        required,
        read_only,
        choices: _,
        ...more
      } = ((form === 'nested' && model.fields[name]!.inNested) || model.fields[name]!).metadata();
      return [name, { type, required, read_only, label: labelOf(name), ...more }];
    }),
  );
}
