import type { Field } from './field.ts';

/** An optional field that a PUT without it sets to what a create without it has. */
export const resets = (field: Field): Field => ({ ...field, replaced: 'reset' });

/**
 * A field that the system alone writes, although OPTIONS calls it writable as the reference does: what a client gives
 * for it is passed over.
 */
export function passedOver({ parse: _, ...field }: Field): Field {
  return field;
}

/** An optional field of a `unique` set that keeps its value when a PUT does not name it. */
export const keeps = (field: Field): Field => ({ ...field, replaced: 'keep' });
