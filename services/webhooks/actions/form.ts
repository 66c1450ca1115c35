import { dictionaryIn } from '@cadastre/body';
import type { Field, Json, Schema, Values } from '@cadastre/model';
import { type ApiRequest, defaultOf, type Engine, invalid, refuse } from '@cadastre/rest';

/** The input of an action: fields like those of models, but without a table. */
export type Form = Record<string, Field>;

/** Reads the body of a request. @throws Refusal 400 that names every field that is wrong, missing or unknown */
export async function readForm(engine: Engine, form: Form, { body }: Pick<ApiRequest, 'body'>): Promise<Values> {
  const given = await dictionaryIn(body);
  const errors: Record<string, unknown> = {};
  const values: Values = {};
  for (const name of Object.keys(given)) if (!Object.hasOwn(form, name)) errors[name] = ['Unknown field.'];
  for (const [name, field] of Object.entries(form)) {
    const value: Json | undefined = given[name];
    if (value === undefined) {
      if (field.required) errors[name] = ['This field is required.'];
      else values[name] = defaultOf(field);
      continue;
    }
    if (value === null) {
      if (field.nullable) values[name] = null;
      else errors[name] = ['This field may not be null.'];
      continue;
    }
    const parsed = field.parse!(value, { knowsObjectType: (type) => engine.catalogue.knows(type) });
    if ('errors' in parsed) errors[name] = parsed.errors;
    else if ('value' in parsed) values[name] = parsed.value;
    else throw refuse(400, `${name} cannot be given.`);
  }
  if (Object.keys(errors).length) throw invalid(errors);
  return values;
}

/** A form in the API document. */
export const schemaOf = (form: Form): Schema => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(form).map(([name, field]) => [name, field.schema.write])),
  required: Object.entries(form)
    .filter(([, field]) => field.required)
    .map(([name]) => name),
});

/** A form in an OPTIONS answer. */
export const metadataOf = (form: Form): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(form).map(([name, field]) => [
      name,
      { ...field.metadata(), label: name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ') },
    ]),
  );
