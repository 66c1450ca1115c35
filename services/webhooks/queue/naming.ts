/** The statements by which deliveries name their objects, those of before by what they told of them. */
export const namingTables: readonly string[] = [
  `alter table webhook_delivery
    add column object_name text`,
  `update webhook_delivery set object_name = payload #>> '{data,display}'`,
];
