import type { Field } from '../types/model.ts';

/** The field with a description of what it is for: `helped('Local facility ID', text({ max: 50 }))`. */
export const helped = (help: string, field: Field): Field => ({
  ...field,
  help,
  schema: { read: { ...field.schema.read, description: help }, write: { ...field.schema.write, description: help } },
});
