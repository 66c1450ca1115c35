import { type Field, integer, type Rule } from '@cadastre/model';

const watts = (): Field => integer({ min: 1, max: 2_147_483_647, optional: true });

/** What a device draws at an inlet, in watts. */
export const draw = (): Record<string, Field> => ({ maximum_draw: watts(), allocated_draw: watts() });

/** The allocated draw is at most the maximum draw. */
export const drawsWithinMaximum: Rule = ({ maximum_draw: maximum, allocated_draw: allocated }) =>
  maximum && allocated && Number(allocated) > Number(maximum)
    ? { allocated_draw: [`Allocated draw cannot exceed the maximum draw (${maximum}W).`] }
    : undefined;
