import type { Field, Model } from '@cadastre/model';

const isImported = (field: Field): boolean => field.imported !== undefined;

/** Whether the value of a field is not derived from other objects or from other fields of the same one. */
export const isSentField = (field: Field): boolean =>
  isImported(field) ||
  (!field.readOnly && !field.hidden && (field.owned !== undefined || (field.parse !== undefined && !field.reverse)));

/**
 * Whether objects of a type are sent as such. Parts without an address are sent with the object that they belong to,
 * and what the system derives from events or from other objects is not sent, except records that an import brings.
 */
export const isSent = (model: Model): boolean =>
  model.part !== 'hidden' && Object.values(model.fields).some(model.readOnly && !model.part ? isImported : isSentField);

/** The fields of a type that are sent, in their order. */
export const sentFields = (model: Model): [string, Field][] =>
  Object.entries(model.fields).filter(([, field]) => isSentField(field));

/** A pair of sent fields that refer to an object of any of several types. */
export interface Pointer {
  typeField: string;
  idField: string;
  /** The types, if they are limited. */
  to: readonly string[] | undefined;
  /** Both may be empty. */
  optional: boolean;
  /** It may name an object that does not exist. */
  outlives: boolean;
}

export const pointersOf = ({ fields, fromEvents }: Model): Pointer[] =>
  Object.values(fields).flatMap(({ generic }) => {
    if (!generic) return [];
    const [type, id] = [fields[generic.typeField], fields[generic.idField]];
    if (!type || !id || !isSentField(id)) return [];
    return [
      {
        typeField: generic.typeField,
        idField: generic.idField,
        to: generic.to,
        optional: type.nullable && id.nullable,
        outlives: generic.outlives ?? fromEvents ?? false,
      },
    ];
  });

/** Rows between objects of two types are shown at both; they are sent with the first of the types. */
export const tellsRows = (model: Model, { owned }: Field, models: Iterable<Model>): boolean =>
  [...models].find(({ fields }) => Object.values(fields).some((field) => field.owned?.from === owned!.from)) === model;
