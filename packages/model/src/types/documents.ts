/**
 * Documents that hold an object with objects of other models inside, as the public library of device types has them.
 * They are written whole, in one transaction, and handed out in the same form.
 */

/** Objects of another model that a document holds inside of one: `interfaces` of a device type. */
export interface DocumentPart {
  /** Their type. */
  type: string;
  /** Their field that leads to the object around them. */
  by: string;
  /**
   * Fields that may refer to another object of the same document by its name, with the list that the other object is
   * in. That list comes before this one in `parts`, or is this one itself.
   */
  names?: Readonly<Record<string, string>>;
  /** The member that names the target of a generic relation, an object of another list, and the relation's fields. */
  component?: { name: string; type: string; id: string };
  /** The members of a list's only row, where they may stand beside the other fields instead. */
  row?: DocumentRow;
}

/** A row of a list that a part has. */
export interface DocumentRow {
  /** The part's field that holds the list. */
  list: string;
  /** The row's members, and what the document calls them. */
  members: Readonly<Record<string, string>>;
  /** The values of members that the document leaves out. */
  otherwise: Readonly<Record<string, number>>;
  /** As in a part: the member of the row, and the list that the named object is in. */
  names: Readonly<Record<string, string>>;
}

/** Rows that stand in a list of their own in the document: `port-mappings`. */
export interface JoinedRows extends DocumentRow {
  /** The list of the parts that they belong to. */
  into: string;
  /** The member that names the part. */
  by: string;
}

export interface Documents {
  /** The fields by which a document is found among many: the folder that it lies in, and the name of its file. */
  file: readonly [folder: string, name: string];
  /** Lists of parts, in the order in which they are made. */
  parts: Readonly<Record<string, DocumentPart>>;
  joined?: Readonly<Record<string, JoinedRows>>;
  /** Other names of fields, by which documents may call them. */
  also?: Readonly<Record<string, string>>;
  /**
   * Pictures that come in files of their own: the field whose value a file's name begins with, and for each field that
   * holds a picture what the name says after that (`c9300.front.png`).
   */
  pictures?: { by: string; fields: Readonly<Record<string, string>> };
  /** Members that have no meaning here. */
  ignored?: readonly string[];
}
