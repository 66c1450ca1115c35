import { boolean, datetime, type Field, imported, ref, text } from '@cadastre/model';

/**
 * The data source of an object's content. There are no data sources in this product, so all of these are empty; clients
 * of the reference expect them to be there.
 */
export const syncedData = (o: { fileIsReadOnly?: boolean; showsAutoSync?: boolean } = {}): Record<string, Field> => ({
  data_source: ref('core.datasource', { optional: true }),
  data_path: imported(text({ max: 1000, optional: true, readOnly: true, filter: false })),
  data_file: ref('core.datafile', { optional: true, onDelete: 'setNull', readOnly: o.fileIsReadOnly ?? false }),
  auto_sync_enabled: boolean({ hidden: !o.showsAutoSync }),
  data_synced: imported(datetime({ optional: true, readOnly: true })),
});
