import type { Rule } from '@cadastre/model';

/** A circuit ends somewhere. */
export const hasPlace: Rule = ({ termination_type: type, termination_id: id }) =>
  type === null || id === null
    ? { __all__: ['A circuit termination must attach to a terminating object.'] }
    : undefined;
