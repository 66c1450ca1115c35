import { type Rule, whyNoSchema } from '@cadastre/model';

/** The value of a field is a JSON schema, if there is one. */
export const isJsonSchema =
  (field: string): Rule =>
  (object) => {
    const schema = object[field];
    const problem = schema === null || schema === undefined || schema === '' ? undefined : whyNoSchema(schema);
    return problem === undefined ? undefined : { [field]: [problem] };
  };
