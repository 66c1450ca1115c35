import type { Catalogue } from '@cadastre/model';
import { singularLabel } from '../../../schema/labels.ts';
import type { Widget } from '../../../schema/widgets.ts';
import type { Visit } from '../../../context/pageRequest.ts';
import { fieldOf, type Filled, type FormField } from './field.ts';
import { rowFields } from './rowFields.ts';
export type { Filled, FormField } from './field.ts';

/** The fields of a form with their values; pickers know the objects that they hold. */
export const fieldsOf = (visit: Visit, widgets: readonly Widget[], filled: Filled): Promise<FormField[]> =>
  Promise.all(
    widgets.map(async (widget) => {
      const field = await fieldOf(visit, widgets, widget, filled);
      if (!widget.rows) return field;
      const { rows, blank, texts } = await rowFields(visit, widgets, { ...widget, rows: widget.rows }, filled);
      return { ...field, values: texts, made: rows, blank };
    }),
  );

/** The form of tags, which every kind of object takes alike. */
export const tagsWidget = (catalogue: Catalogue): Widget | undefined =>
  catalogue.has('extras.tag')
    ? {
        name: 'tags',
        label: singularLabel({ label: 'tags' }),
        kind: 'pickers',
        required: false,
        nullable: false,
        help: undefined,
        choices: [],
        of: 'extras.tag',
        numbers: false,
        max: undefined,
      }
    : undefined;
