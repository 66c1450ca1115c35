import { account } from './de/account.ts';
import { common } from './de/common.ts';
import { deliveries } from './de/deliveries.ts';
import { everywhere } from './de/everywhere.ts';
import { forms } from './de/forms.ts';
import { imports } from './de/imports.ts';
import { naming } from './de/naming.ts';
import { lists } from './de/lists.ts';
import { models } from './de/models.ts';
import { objects } from './de/objects.ts';

/** The texts in German. */
export const de = {
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
};
