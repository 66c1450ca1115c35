import type { Widget } from '../../../schema/widget.ts';
import type { PageRequest } from '../../../context/pageRequest.ts';
import { fieldOf, type Filled, type FormField } from './field.ts';
import { rowFields } from './rowFields.ts';
export type { Filled, FormField } from './field.ts';

/** The fields of a form with their values; pickers have the objects that they hold as options. */
export const fieldsOf = (request: PageRequest, widgets: readonly Widget[], filled: Filled): Promise<FormField[]> =>
  Promise.all(
    widgets.map(async (widget) => {
      const field = await fieldOf(request, widgets, widget, filled);
      if (!widget.rows) return field;
      const { rows, blank, texts } = await rowFields(request, widgets, { ...widget, rows: widget.rows }, filled);
      return { ...field, values: texts, made: rows, blank };
    }),
  );
