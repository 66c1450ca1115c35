import { appName, type Catalogue, type Feature, type Model, typeId, typeTitle } from '@cadastre/model';
import { type Executor, rowsOf, invalidateType } from '@cadastre/rest';
import { objectType } from './models/objectType.ts';

/** Features that only matter inside. */
const INTERNAL = new Set<Feature>(['timestamps', 'owner']);

/** `changeLogging` → `change_logging` */
const nameOf = (feature: Feature): string => feature.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** How a type stands in the list of types. */
export const describe = (model: Model) => ({
  id: typeId(model.name),
  app_label: model.app,
  app_name: appName(model.app),
  model: model.name.split('.')[1]!,
  model_name: model.label,
  model_name_plural: model.plural,
  public: true,
  features: [...model.features]
    .filter((f) => !INTERNAL.has(f))
    .map(nameOf)
    .sort(),
  rest_api_endpoint: `/api/${model.app}/${model.path}/`,
  title: typeTitle(model),
});

const COLUMNS =
  'id bigint, app_label text, app_name text, model text, model_name text, model_name_plural text, public boolean, features text[], rest_api_endpoint text, title text';
const NAMES = COLUMNS.split(', ').map((column) => column.split(' ')[0]!);

/** Brings the stored types in line with the catalogue. */
export async function keepObjectTypes(catalogue: Catalogue, executor: Executor): Promise<void> {
  const types = [...catalogue.models.values()].filter((model) => model.part !== 'hidden').map(describe);
  const { table } = objectType;
  const changed = await rowsOf(executor, {
    text: `with wanted as (select * from jsonb_to_recordset($1::jsonb) as r(${COLUMNS})),
      gone as (delete from ${table} t where not exists (select 1 from wanted w where w.id = t.id) returning t.id),
      kept as (
        insert into ${table} as t (${NAMES.join(', ')}) select ${NAMES.join(', ')} from wanted
        on conflict (id) do update set ${NAMES.slice(1)
          .map((name) => `${name} = excluded.${name}`)
          .join(', ')}
        where (${NAMES.slice(1)
          .map((name) => `t.${name}::text`)
          .join(', ')}) is distinct from (${NAMES.slice(1)
          .map((name) => `excluded.${name}::text`)
          .join(', ')})
        returning t.id
      ) select id from gone union all select id from kept`,
    values: [JSON.stringify(types)],
  });
  if (changed.length) await invalidateType(objectType.name, executor);
}
