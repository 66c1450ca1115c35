import { account } from './de/account.ts';
import { common } from './de/common.ts';
import { deliveries } from './de/deliveries.ts';
import { everywhere } from './de/everywhere.ts';
import { models } from './de/models.ts';
import { objects } from './de/objects.ts';

/** The texts in German. What is missing is said in English. */
export const de = { ...common, ...models, ...objects, ...everywhere, ...account, ...deliveries };
