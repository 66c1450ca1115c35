import type { Catalogue, Json } from '@cadastre/model';
import { checkConstraint, type Constraint, ConstraintError } from '@cadastre/rest';
import type { Constraints } from '../models/objectPermission.ts';

/** Says what is wrong with the constraints of a permission, by the declarations of the types that it is for. */
export const constraintsFor = (catalogue: Catalogue): Constraints => ({
  problems(objectTypes: string[], constraints: Json): string[] {
    const alternatives = (Array.isArray(constraints) ? constraints : [constraints]) as Constraint[];
    return objectTypes
      .filter((type) => catalogue.has(type))
      .flatMap((type) =>
        alternatives.flatMap((constraint) => {
          try {
            checkConstraint(catalogue, catalogue.get(type), constraint);
            return [];
          } catch (error) {
            if (error instanceof ConstraintError) return [`Invalid filter for ${type}: ${error.message}`];
            throw error;
          }
        }),
      );
  },
});
