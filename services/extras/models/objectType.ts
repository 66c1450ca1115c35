import { boolean, computed, list, method, model, text } from '@cadastre/model';

/** A type of objects. Filled from the declarations of all services when the service starts. */
export const objectType = model('core.objecttype', {
  path: 'object-types',
  label: 'object type',
  displayPath: false,
  pages: false,
  ordering: ['app_label', 'model'],
  readOnly: true,
  brief: [],
  search: ['app_label', 'model'],
  display: { columns: ['title'], text: ([title]) => title ?? '' },
  fields: {
    app_label: text({ max: 100, readOnly: true }),
    app_name: text({ max: 100, readOnly: true, filter: false }),
    model: text({ max: 100, readOnly: true }),
    model_name: text({ max: 100, readOnly: true, filter: false }),
    model_name_plural: text({ max: 100, readOnly: true, filter: false }),
    public: boolean({ readOnly: true }),
    features: list({
      element: 'varchar(50)',
      readOnly: true,
      optional: true,
      item: (value) => ({ value }),
      itemSchema: { type: 'string' },
    }),
    is_plugin_model: computed([], () => 'false', { type: 'boolean', schema: { type: 'boolean' } }),
    rest_api_endpoint: text({ max: 200, readOnly: true, nullable: true, filter: false }),
    description: computed([], () => 'null', { type: 'string', schema: { type: ['string', 'null'] } }),
    title: text({ max: 200, readOnly: true, hidden: true, filter: false }),
  },
  filters: {
    features: method(
      'text',
      ({ table, bind }, [value]) =>
        `position(lower(${bind(value)}::text) in array_to_string(${table}.features, ' ')) > 0`,
    ),
  },
  unique: [{ fields: ['app_label', 'model'] }],
});
