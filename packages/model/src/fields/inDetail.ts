import type { Field } from '../types/model.ts';

/** A field that is too much for lists: it is shown with one object, or where `fields` names it. */
export const inDetail = (field: Field): Field => ({ ...field, inDetail: true });
