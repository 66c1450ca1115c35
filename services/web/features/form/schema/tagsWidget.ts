import type { Catalogue } from '@cadastre/model';
import { singularLabel } from '../../../schema/labels.ts';
import type { Widget } from '../../../schema/widget.ts';

/** The widget for tags, which is the same for all types. */
export const tagsWidget = (catalogue: Catalogue): Widget | undefined =>
  catalogue.has('extras.tag')
    ? {
        name: 'tags',
        label: singularLabel({ label: 'tags' }),
        kind: 'pickers',
        required: false,
        nullable: false,
        help: undefined,
        choices: [],
        of: 'extras.tag',
        numbers: false,
        max: undefined,
      }
    : undefined;
