import type { Field } from '../field.ts';

/** An optional field that a PUT without it sets to what a create without it has. */
export const resets = (field: Field): Field => ({ ...field, replaced: 'reset' });

/** An optional field of a `unique` set that keeps its value when a PUT does not name it. */
export const keeps = (field: Field): Field => ({ ...field, replaced: 'keep' });
