import { type Model, quote, type Reached } from '@cadastre/model';
import type { Tables } from './tables.ts';

/** SQL of a table: the `id` of a model's object, and `at`, the id of an object that a path leads to; each pair once. */
export function pointersSql(tables: Tables, source: Model, { paths }: Reached): string {
  const parts = paths.flatMap((path) => {
    const steps = tables.catalogue.steps(source, path);
    if (!steps || steps.slice(0, -1).some((s) => !tables.has(s.to))) return [];
    const joins: string[] = [];
    const conditions: string[] = [];
    let at = '';
    for (const [i, step] of steps.entries()) {
      const alias = `w${i}`;
      if (i) joins.push(`join ${tables.nameOf(step.from)} ${alias} on ${alias}.id = ${at}`);
      at = `${alias}.${quote(step.column)}`;
      if (step.generic) conditions.push(`${alias}.${quote(step.generic.typeColumn)} = '${step.to}'`);
    }
    return [
      `select w0.id, ${at} as at from ${tables.nameOf(source.name)} w0 ${joins.join(' ')} where ${[...conditions, `${at} is not null`].join(' and ')}`,
    ];
  });
  return parts.length ? `(${parts.join(' union ')})` : '(select null::bigint as id, null::bigint as at where false)';
}
