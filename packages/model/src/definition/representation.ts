import { arrayItems } from '../fields/plain/list.ts';
import { computed } from '../fields/special.ts';
import type { Field, Model } from '../types/model.ts';
import type { Form } from '../types/relation.ts';

/** Members that are not fields: made from the id and the display columns. */
export const HEAD = ['id', 'url', 'display_url', 'display'] as const;

/**
 * Counts that are shown wherever their object is: those of trees, and counters. Other counts are left out where the
 * object is only related.
 */
const isShownInside = (model: Model, name: string): boolean => {
  const reverse = model.fields[name]?.reverse;
  return reverse?.as !== 'count' || reverse.cumulative || reverse.inside === true;
};

const known = new WeakMap<Model, Map<string, string[]>>();

/**
 * Names of an object's members in one of its forms, in order. `summary` is the brief form of an object that was asked
 * for itself; `brief` is what stands for it inside another one. `nameable` has all of `complete` and the members that
 * are shown only when a request names them.
 */
export function members(model: Model, form: Form | 'summary' | 'complete' | 'nameable'): readonly string[] {
  let forms = known.get(model);
  if (!forms) known.set(model, (forms = new Map()));
  let names = forms.get(form);
  if (!names) forms.set(form, (names = namesIn(model, form)));
  return names;
}

function namesIn(model: Model, form: Form | 'summary' | 'complete' | 'nameable'): string[] {
  if (form === 'id') return ['id'];
  if (form === 'key') return [model.key ?? 'id'];
  if (form.startsWith('only:'))
    return [
      'id',
      'url',
      'display',
      ...form
        .slice('only:'.length)
        .split(',')
        .filter((name) => name !== ''),
    ];
  if (form === 'summary') return ['id', 'url', 'display', ...model.brief];
  if (form === 'brief') return ['id', 'url', 'display', ...model.brief.filter((name) => isShownInside(model, name))];
  const head = model.displayPath === false ? HEAD.filter((name) => name !== 'display_url') : HEAD;
  if (form === 'nested') return [...head, ...(model.nested ?? model.brief)];
  return [
    ...head,
    ...Object.entries(model.fields)
      .filter(([, f]) => !f.hidden && !f.writeOnly && (form === 'nameable' || !f.onlyNamed))
      .map(([name]) => name),
  ];
}

/** Depth in the tree; roots have 0. */
export const depth = (): Field =>
  computed(['_path'], ([path]) => String(arrayItems(path ?? '{}').length - 1), {
    type: 'integer',
    schema: { type: 'integer' },
  });
