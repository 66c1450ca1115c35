import {
  type Cell,
  description,
  type Feature,
  image,
  integer,
  model,
  text,
  timestamps,
  typeIdOf,
} from '@cadastre/model';
import { ABOUT, aboutObject, needsFeature } from './aboutObject.ts';

const features: Feature[] = ['changeLogging', 'eventRules', 'timestamps'];

/** The name of the file stands for an attachment without a name. */
const nameOf = ([name, path]: Cell[]): string => name || (path ?? '').split('/').at(-1)!;

const measure = () => integer({ optional: true, readOnly: true, size: 'integer', min: 0 });

/** A picture of an object. */
export const imageAttachment = model('extras.imageattachment', {
  path: 'image-attachments',
  pages: { columns: ['parent', 'image', 'image_width', 'image_height', 'created'] },
  label: 'image attachment',
  belongsTo: 'parent',
  displayPath: false,
  ordering: ['name'],
  features,
  brief: ['name', 'image', 'description'],
  search: ['name', 'image', 'description'],
  display: { columns: ['name', 'image'], text: nameOf },
  about: ABOUT,
  fields: {
    ...aboutObject('parent', { missing: 'parent object' }),
    name: text({ max: 50, optional: true, natural: true }),
    image: image({
      folder: 'image-attachments',
      width: 'image_width',
      height: 'image_height',
      bytes: 'image_size',
      named: ({ object_type: type, object_id: id, name }, file) =>
        `${String(type).split('.')[1]}_${id}_${name || file}`,
    }),
    ...description(),
    image_height: measure(),
    image_width: measure(),
    image_size: integer({ optional: true, readOnly: true, size: 'bigint', min: 0 }),
    ...timestamps(),
  },
  filters: { object_type_id: typeIdOf('object_type') },
  rules: [
    needsFeature('imageAttachments', (type) => `Image attachments cannot be assigned to this object type (${type}).`),
  ],
  indexes: [['object_type', 'object_id']],
});
