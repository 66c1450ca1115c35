import type { Field } from '../types/model.ts';

/** An optional field that a PUT without it resets to the value that a create without it would give it. */
export const resets = (field: Field): Field => ({ ...field, replaced: 'reset' });

/**
 * A field that the system alone writes, although OPTIONS calls it writable as the reference does: what a client gives
 * for it is passed over.
 */
export function passedOver({ parse: _, ...field }: Field): Field {
  return field;
}

/** A field that no client may write but an import does: its value is that of the system of origin. */
export function imported(field: Field): Field {
  if (!field.parse) throw new Error(`a field of the kind ${field.kind} cannot be read`);
  return { ...field, imported: field.parse };
}

/** An optional field of a `unique` set that keeps its value when a PUT does not name it. */
export const keeps = (field: Field): Field => ({ ...field, replaced: 'keep' });
