import { type Rule, whyNoSchema } from '@cadastre/model';

/** What a field holds is a JSON schema, if anything. */
export const isJsonSchema =
  (field: string): Rule =>
  (object) => {
    const schema = object[field];
    const problem = schema === null || schema === undefined || schema === '' ? undefined : whyNoSchema(schema);
    return problem === undefined ? undefined : { [field]: [problem] };
  };
