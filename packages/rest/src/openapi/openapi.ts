import { type Catalogue, type Filter, lookupsOf, type Model, type Schema } from '@cadastre/model';
import { actionPath, type Operations, pageParameters, type Parameter, parameter } from './operation.ts';
import { titleOf } from './options.ts';
import { BODY, refusalComponents, refusals } from './refusals.ts';
import { Schemas } from './schemas.ts';
import { arrayOf, oneOrMore, pageOf, record, SHARED } from './shapes.ts';

const SHAPE: Parameter[] = [
  parameter('brief', { type: 'boolean' }, 'Only the members that identify an object.'),
  parameter('fields', { type: 'string' }, 'Names of members to return, separated by commas.'),
  parameter('omit', { type: 'string' }, 'Names of members to leave out, separated by commas.'),
];
const PAGE: Parameter[] = [
  ...pageParameters,
  parameter('start', { type: 'integer' }, 'Cursor mode: objects with this id or a greater one, in order of id.'),
  parameter('filter', { type: 'array', items: { type: 'string' } }, 'Slugs of saved filters to apply.'),
  parameter('filter_id', { type: 'array', items: { type: 'integer' } }, 'Ids of saved filters to apply.'),
  parameter('ordering', { type: 'string' }, 'Names of members to sort by, separated by commas; `-` reverses.'),
];
const EXPORT = parameter(
  'export',
  { type: 'string' },
  'Name of an export template: the answer is the file that it makes of all objects of the list.',
);
const IF_MATCH: Parameter = {
  name: 'If-Match',
  in: 'header',
  schema: { type: 'string' },
  description: 'The ETag that the object must still have.',
};
const ID: Parameter = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };

/** What a service contributes to the API document. */
export interface ApiDocument {
  paths: Record<string, Record<string, unknown>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, object> };
}

/**
 * Describes the endpoints of models: every parameter with its lookups, what is read, what is written, how a request is
 * refused; and the actions beside them.
 */
export function openApiOf(
  catalogue: Catalogue,
  models: Iterable<Model>,
  actions: Readonly<Record<string, { operations?: Operations }>> = {},
): ApiDocument {
  const schemas = new Schemas(catalogue);
  const paths: ApiDocument['paths'] = {};
  const shared = refusalComponents();
  for (const model of models) {
    // Actions, here and in other services, may name any of them.
    schemas.inside(model, 'brief');
    if (model.part === 'hidden') continue;
    const list = `/api/${model.app}/${model.path}/`;
    paths[list] = listPath(catalogue, schemas, model);
    paths[`${list}{id}/`] = detailPath(schemas, model);
    if (!model.readOnly) paths[`${list}deletion-preview/`] = previewPath(model);
  }
  for (const [key, { operations }] of Object.entries(actions)) {
    if (!operations) continue;
    const [path, item] = actionPath(key, operations);
    paths[path] = item;
  }
  return {
    paths,
    components: { schemas: { ...schemas.named, ...SHARED, ...shared.schemas }, responses: shared.responses },
  };
}

const json = (schema: Schema) => ({ content: { 'application/json': { schema } } });
const answer = (description: string, schema?: Schema): { description: string; content?: object } => ({
  description,
  ...(schema ? json(schema) : {}),
});
const withFiles = (model: Model) => Object.values(model.fields).filter((field) => field.upload);

/** A body. Files come with a form, and an object that must have one comes with nothing else. */
function request(schema: Schema, model?: Model, partial = false) {
  const files = model ? withFiles(model) : [];
  if (!files.length) return { required: true, ...json(schema) };
  return {
    required: true,
    content: {
      ...(!partial && files.some((file) => file.required) ? {} : json(schema).content),
      'multipart/form-data': { schema },
    },
  };
}
const ID_MEMBER = record({ id: { type: 'integer' } });
const withId = (schema: Schema): Schema => ({ allOf: [schema, ID_MEMBER] });

/** Operations on the list of a model's objects. */
function listPath(catalogue: Catalogue, schemas: Schemas, model: Model): Record<string, unknown> {
  const whole = schemas.whole(model);
  const { tags, id, title } = about(model);
  const exported = model.features.has('exportTemplates');
  const page = answer('A page of objects.', pageOf(whole));
  const get = {
    operationId: `${id}_list`,
    tags,
    summary: `List ${model.plural}`,
    parameters: [...filterParameters(catalogue, model), ...PAGE, ...SHAPE, ...(exported ? [EXPORT] : [])],
    responses: exported
      ? { 200: { ...page, content: { ...page.content, '*/*': { schema: { type: 'string' } } } }, ...refusals(404) }
      : { 200: page, ...refusals() },
  };
  if (model.readOnly) return { get };
  const input = schemas.written(model);
  const patch = schemas.written(model, true);
  const changed = { 200: answer('The changed objects.', arrayOf(whole)), ...refusals(409, ...BODY) };
  return {
    get,
    post: {
      operationId: `${id}_create`,
      tags,
      summary: `Create one ${title} or several`,
      requestBody: request(withFiles(model).length ? input : oneOrMore(input), model),
      responses: { 201: answer('What was created.', oneOrMore(whole)), ...refusals(409, ...BODY) },
    },
    put: {
      operationId: `${id}_bulk_update`,
      tags,
      summary: `Replace several ${model.plural}`,
      requestBody: request(arrayOf(withId(input))),
      responses: changed,
    },
    patch: {
      operationId: `${id}_bulk_partial_update`,
      tags,
      summary: `Change several ${model.plural}`,
      requestBody: request(arrayOf(withId(patch))),
      responses: changed,
    },
    delete: {
      operationId: `${id}_bulk_destroy`,
      tags,
      summary: `Delete several ${model.plural}`,
      requestBody: request(arrayOf(ID_MEMBER)),
      responses: { 204: answer('Deleted.'), ...refusals(409, ...BODY) },
    },
  };
}

/** Operations on one object. */
function detailPath(schemas: Schemas, model: Model): Record<string, unknown> {
  const whole = schemas.whole(model);
  const { tags, id } = about(model);
  const get = {
    operationId: `${id}_retrieve`,
    tags,
    summary: `Get one ${model.label}`,
    parameters: SHAPE,
    responses: { 200: answer('The object.', whole), ...refusals(404) },
  };
  if (model.readOnly) return { parameters: [ID], get };
  const changed = { 200: answer('The changed object.', whole), ...refusals(404, 409, 412, ...BODY) };
  return {
    parameters: [ID],
    get,
    put: {
      operationId: `${id}_update`,
      tags,
      summary: `Replace one ${model.label}`,
      parameters: [IF_MATCH],
      requestBody: request(schemas.written(model), model),
      responses: changed,
    },
    patch: {
      operationId: `${id}_partial_update`,
      tags,
      summary: `Change one ${model.label}`,
      parameters: [IF_MATCH],
      requestBody: request(schemas.written(model, true), model, true),
      responses: changed,
    },
    delete: {
      operationId: `${id}_destroy`,
      tags,
      summary: `Delete one ${model.label}`,
      parameters: [IF_MATCH],
      responses: { 204: answer('Deleted.'), ...refusals(404, 409, 412, ...BODY) },
    },
  };
}

const FORESEEN = arrayOf(
  record({
    object_type: { type: 'string' },
    count: { type: 'integer' },
    ids: { type: 'array', items: { type: 'integer' }, maxItems: 50 },
  }),
);

/** What a deletion would do; the body is that of a deletion of several. */
function previewPath(model: Model): Record<string, unknown> {
  const { tags, id } = about(model);
  return {
    post: {
      operationId: `${id}_deletion_preview`,
      tags,
      summary: `Tell what deleting some ${model.plural} would do, and delete nothing`,
      requestBody: request(arrayOf(ID_MEMBER)),
      responses: {
        200: answer(
          'Objects by type: those that would go along, that stand in the way, that would lose a reference, and that would no longer be unique without it.',
          record({ deleted: FORESEEN, protecting: FORESEEN, changed: FORESEEN, clashing: FORESEEN }),
        ),
        ...refusals(404, ...BODY),
      },
    },
  };
}

const about = (model: Model) => ({
  tags: [model.app],
  id: `${model.app}_${model.path.replaceAll('-', '_')}`,
  title: titleOf(model),
});

/** Parameters that are never filters, so a field of such a name is filtered by its lookups only. */
const TAKEN = new Set([...PAGE, ...SHAPE, EXPORT].map(({ name }) => name));

function filterParameters(catalogue: Catalogue, model: Model): Parameter[] {
  const filters = Object.entries(catalogue.filtersOf(model)).flatMap(([name, filter]) =>
    Object.entries(lookupsOf(filter)).map(([suffix, { value }]) =>
      parameter(suffix ? `${name}__${suffix}` : name, value ? { type: value } : arraySchema(filter)),
    ),
  );
  return filters.filter(({ name }) => !TAKEN.has(name));
}

const ITEM: Record<string, Schema> = {
  number: { type: 'integer' },
  numbers: { type: 'integer' },
  decimal: { type: 'number' },
  boolean: { type: 'boolean' },
  datetime: { type: 'string', format: 'date-time' },
  instant: { type: 'string', format: 'date-time' },
  date: { type: 'string', format: 'date' },
  uuid: { type: 'string', format: 'uuid' },
};

function arraySchema(filter: Filter): Schema {
  if (filter.kind === 'column' || filter.kind === 'through')
    return filter.family === 'boolean' ? ITEM['boolean']! : arrayOf(ITEM[filter.family] ?? { type: 'string' });
  if (filter.kind === 'either') return arraySchema(filter.of[0]!);
  if (filter.kind === 'method')
    return filter.many
      ? arrayOf({ type: 'string' })
      : { type: { boolean: 'boolean', number: 'integer', text: 'string', uuid: 'string' }[filter.value] };
  if (filter.kind === 'objects')
    return filter.many
      ? arrayOf({ type: filter.by ? 'string' : 'integer' })
      : { type: filter.by ? 'string' : 'integer' };
  if (filter.kind === 'related') return arrayOf(filter.by ? { type: 'string' } : { type: 'integer' });
  return filter.kind === 'search'
    ? { type: 'string' }
    : filter.kind === 'request'
      ? ITEM['uuid']!
      : arrayOf({ type: 'string' });
}
