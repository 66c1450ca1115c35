import { quote } from '@cadastre/model';

/** Which objects came by an import, by type and id, so that others at the same ids are told from them. */
export const IMPORTED = 'imported_object';

export const importedTables = (): string[] => [
  `create table ${quote(IMPORTED)} ("type" integer not null, "id" bigint not null, primary key ("type", "id"))`,
];
