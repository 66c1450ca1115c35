import type { Catalogue } from '@cadastre/model';
import type { Parts } from '@cadastre/pages';
import type { Renderer } from '@cadastre/templates';
import type { Addresses } from '../schema/addresses.ts';

/** What pages need that is the same for every request. */
export interface PageOptions {
  catalogue: Catalogue;
  addresses: Addresses;
  /** What services have declared for their own models. */
  parts: Required<Parts>;
  /** The limits of one API request. */
  bulk: { items: number; bytes: number };
  /** Renders the templates of custom links. */
  renderer: Renderer;
}
