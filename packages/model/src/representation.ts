import { arrayItems } from './fields/list.ts';
import { computed } from './fields/special.ts';
import type { Field, Form } from './field.ts';
import type { Model } from './model.ts';

/** Members that are not fields: made from the id and the display columns. */
export const HEAD = ['id', 'url', 'display_url', 'display'] as const;

/** Names of an object's members in one of its forms, in order. */
export function members(model: Model, form: Form | 'complete'): string[] {
  if (form === 'id') return ['id'];
  if (form === 'brief') return ['id', 'url', 'display', ...model.brief];
  if (form === 'nested') return [...HEAD, ...(model.nested ?? model.brief)];
  return [...HEAD, ...Object.entries(model.fields).filter(([, f]) => !f.hidden && !f.writeOnly).map(([name]) => name)];
}

/** Depth in the tree; roots have 0. */
export const depth = (): Field => computed(['_path'], ([path]) => String(arrayItems(path ?? '{}').length - 1), { type: 'integer', schema: { type: 'integer' } });
