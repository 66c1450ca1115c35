import type { Json } from '@cadastre/model';
import { html, type Html } from '@cadastre/pages';

/** A value with members, line by line. */
export const readable = (value: Json | undefined): Html =>
  html`<pre class="text code" tabindex="0">${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</pre>`;
