import { choices } from '@cadastre/model';

export const weightUnit = choices([
  ['kg', 'Kilograms'],
  ['g', 'Grams'],
  ['lb', 'Pounds'],
  ['oz', 'Ounces'],
]);
