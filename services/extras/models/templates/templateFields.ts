import { boolean, type Field, json, text } from '@cadastre/model';

/** A template, and what becomes of the text that it renders. */
export const templateFields = (): Record<string, Field> => ({
  environment_params: json({ optional: true, default: {} }),
  template_code: text({ filter: false }),
  mime_type: text({ max: 50, optional: true }),
  file_name: text({ max: 200, optional: true }),
  file_extension: text({ max: 15, optional: true }),
  as_attachment: boolean({ default: true }),
});
