import { account } from './en/account.ts';
import { common } from './en/common.ts';
import { deliveries } from './en/deliveries.ts';
import { everywhere } from './en/everywhere.ts';
import { forms } from './en/forms.ts';
import { imports } from './en/imports.ts';
import { naming } from './en/naming.ts';
import { lists } from './en/lists.ts';
import { models } from './en/models.ts';
import { objects } from './en/objects.ts';

/** The texts of the pages in English. A translation is another object with the same names. */
export const en = {
  ...common,
  ...lists,
  ...forms,
  ...imports,
  ...naming,
  ...models,
  ...objects,
  ...everywhere,
  ...account,
  ...deliveries,
} as const;
