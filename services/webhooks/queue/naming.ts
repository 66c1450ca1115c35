/** The statements that add the name of the object to deliveries; existing deliveries take it from their payload. */
export const namingTables: readonly string[] = [
  `alter table webhook_delivery
    add column object_name text`,
  `update webhook_delivery set object_name = payload #>> '{data,display}'`,
];
