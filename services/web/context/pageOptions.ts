import type { Catalogue } from '@cadastre/model';
import type { Parts } from '@cadastre/pages';
import type { Renderer } from '@cadastre/templates';
import type { Addresses } from '../schema/addresses.ts';

/** What pages work with, the same for every requester. */
export interface PageOptions {
  catalogue: Catalogue;
  addresses: Addresses;
  /** What services have declared for their own models. */
  parts: Required<Parts>;
  /** How much the API takes in one request. */
  bulk: { items: number; bytes: number };
  /** Renders the templates of custom links. */
  renderer: Renderer;
}
