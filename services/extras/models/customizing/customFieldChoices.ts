import { choices } from '@cadastre/model';

export const customFieldTypes = choices([
  ['text', 'Text'],
  ['longtext', 'Text (long)'],
  ['integer', 'Integer'],
  ['decimal', 'Decimal'],
  ['boolean', 'Boolean (true/false)'],
  ['date', 'Date'],
  ['datetime', 'Date & time'],
  ['url', 'URL'],
  ['json', 'JSON'],
  ['select', 'Selection'],
  ['multiselect', 'Multiple selection'],
  ['object', 'Object'],
  ['multiobject', 'Multiple objects'],
]);

export const filterLogic = choices([
  ['disabled', 'Disabled'],
  ['loose', 'Loose'],
  ['exact', 'Exact'],
]);

export const uiVisible = choices([
  ['always', 'Always'],
  ['if-set', 'If set'],
  ['hidden', 'Hidden'],
]);

export const uiEditable = choices([
  ['yes', 'Yes'],
  ['no', 'No'],
  ['hidden', 'Hidden'],
]);

export const baseChoiceSets = choices([
  ['IATA', 'IATA (Airport codes)'],
  ['ISO_3166', 'ISO 3166 (Country codes)'],
  ['UN_LOCODE', 'UN/LOCODE (Location codes)'],
]);

export const choiceColors = choices([
  ['blue', 'Blue'],
  ['indigo', 'Indigo'],
  ['purple', 'Purple'],
  ['pink', 'Pink'],
  ['red', 'Red'],
  ['orange', 'Orange'],
  ['yellow', 'Yellow'],
  ['green', 'Green'],
  ['teal', 'Teal'],
  ['cyan', 'Cyan'],
  ['gray', 'Gray'],
  ['black', 'Black'],
  ['white', 'White'],
]);
