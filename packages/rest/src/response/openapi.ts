import { type Catalogue, type Filter, members, type Model, type Schema } from '@cadastre/model';
import type { ActionHandler } from '../http.ts';
import { lookupsOf } from '../plan/filters.ts';
import { actionPath, arrayOf, oneOrMore, pageOf, pageParameters, type Parameter, parameter, refTo } from './operation.ts';
import { titleOf } from './options.ts';

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
const ID: Parameter = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };

/** What a service contributes to the API document. */
export interface ApiDocument { paths: Record<string, Record<string, unknown>>; components: { schemas: Record<string, Schema> } }

/** Describes the endpoints of models: every parameter with its lookups, what is read, what is written; and the actions beside them. */
export function openApiOf(catalogue: Catalogue, models: Iterable<Model>, actions: Readonly<Record<string, Pick<ActionHandler, 'operations'>>> = {}): ApiDocument {
  const document: ApiDocument = { paths: {}, components: { schemas: {} } };
  for (const model of models) {
    if (model.part === 'hidden') continue;
    const name = model.className, list = `/api/${model.app}/${model.path}/`;
    document.components.schemas[name] = readSchema(catalogue, model, 'complete');
    document.components.schemas[`Brief${name}`] ??= readSchema(catalogue, model, 'brief');
    if (!model.readOnly) document.components.schemas[`${name}Request`] = writeSchema(model);
    document.paths[list] = listPath(catalogue, model);
    document.paths[`${list}{id}/`] = detailPath(model);
  }
  for (const [key, { operations }] of Object.entries(actions)) {
    const [path, item] = actionPath(key, operations);
    document.paths[path] = item;
  }
  return document;
}

const json = (schema: Schema) => ({ content: { 'application/json': { schema } } });
const answer = (description: string, schema?: Schema) => ({ description, ...(schema ? json(schema) : {}) });
const hasFiles = (model: Model): boolean => Object.values(model.fields).some((field) => field.upload);

/** Files come with a form, and an object that must have one comes with nothing else. */
function request(schema: Schema, model?: Model, partial = false) {
  const files = Object.values(model?.fields ?? {}).filter((field) => field.upload);
  if (!files.length) return { required: true, ...json(schema) };
  return { required: true, content: { ...(!partial && files.some((file) => file.required) ? {} : json(schema).content), 'multipart/form-data': { schema } } };
}
const withId = (schema: Schema): Schema => ({ allOf: [schema, { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] }] });

function listPath(catalogue: Catalogue, model: Model): Record<string, unknown> {
  const whole = refTo(model.className), input = refTo(`${model.className}Request`), tags = [model.app], title = titleOf(model);
  const id = `${model.app}_${model.path.replaceAll('-', '_')}`;
  const get = { operationId: `${id}_list`, tags, summary: `List ${model.plural}`, parameters: [...filterParameters(catalogue, model), ...PAGE, ...SHAPE], responses: { 200: answer('A page of objects.', pageOf(whole)) } };
  if (model.readOnly) return { get };
  return {
    get,
    post: { operationId: `${id}_create`, tags, summary: `Create one ${title} or several`, requestBody: request(hasFiles(model) ? input : oneOrMore(input), model), responses: { 201: answer('What was created.', oneOrMore(whole)) } },
    put: { operationId: `${id}_bulk_update`, tags, summary: `Replace several ${model.plural}`, requestBody: request(arrayOf(withId(input))), responses: { 200: answer('The changed objects.', arrayOf(whole)) } },
    patch: { operationId: `${id}_bulk_partial_update`, tags, summary: `Change several ${model.plural}`, requestBody: request(arrayOf({ type: 'object', required: ['id'] })), responses: { 200: answer('The changed objects.', arrayOf(whole)) } },
    delete: { operationId: `${id}_bulk_destroy`, tags, summary: `Delete several ${model.plural}`, requestBody: request(arrayOf({ type: 'object', required: ['id'], properties: { id: { type: 'integer' } } })), responses: { 204: answer('Deleted.') } },
  };
}

function detailPath(model: Model): Record<string, unknown> {
  const whole = refTo(model.className), input = refTo(`${model.className}Request`), tags = [model.app], id = `${model.app}_${model.path.replaceAll('-', '_')}`;
  const get = { operationId: `${id}_retrieve`, tags, summary: `Get one ${model.label}`, parameters: SHAPE, responses: { 200: answer('The object.', whole), 404: answer('There is no such object.') } };
  if (model.readOnly) return { parameters: [ID], get };
  return {
    parameters: [ID], get,
    put: { operationId: `${id}_update`, tags, summary: `Replace one ${model.label}`, requestBody: request(input, model), responses: { 200: answer('The changed object.', whole), 412: answer('It has changed since.') } },
    patch: { operationId: `${id}_partial_update`, tags, summary: `Change one ${model.label}`, requestBody: request(hasFiles(model) ? { type: 'object', properties: writeSchema(model)['properties'] } : { type: 'object' }, model, true), responses: { 200: answer('The changed object.', whole), 412: answer('It has changed since.') } },
    delete: { operationId: `${id}_destroy`, tags, summary: `Delete one ${model.label}`, responses: { 204: answer('Deleted.'), 409: answer('Other objects depend on it.') } },
  };
}

function filterParameters(catalogue: Catalogue, model: Model): Parameter[] {
  return Object.entries(catalogue.filtersOf(model)).flatMap(([name, filter]) =>
    Object.keys(lookupsOf(filter)).map((suffix) => parameter(suffix ? `${name}__${suffix}` : name, suffix === 'empty' ? { type: 'boolean' } : arraySchema(filter))));
}

const ITEM: Record<string, Schema> = {
  number: { type: 'integer' }, numbers: { type: 'integer' }, decimal: { type: 'number' }, boolean: { type: 'boolean' }, datetime: { type: 'string', format: 'date-time' },
  instant: { type: 'string', format: 'date-time' }, date: { type: 'string', format: 'date' }, uuid: { type: 'string', format: 'uuid' },
};

function arraySchema(filter: Filter): Schema {
  if (filter.kind === 'column' || filter.kind === 'through') return filter.family === 'boolean' ? ITEM['boolean']! : arrayOf(ITEM[filter.family] ?? { type: 'string' });
  if (filter.kind === 'either') return arraySchema(filter.of[0]!);
  if (filter.kind === 'method') return filter.many ? arrayOf({ type: 'string' }) : { type: { boolean: 'boolean', number: 'integer', text: 'string', uuid: 'string' }[filter.value] };
  if (filter.kind === 'objects') return filter.many ? arrayOf({ type: filter.by ? 'string' : 'integer' }) : { type: filter.by ? 'string' : 'integer' };
  if (filter.kind === 'related') return arrayOf(filter.by ? { type: 'string' } : { type: 'integer' });
  return filter.kind === 'search' ? { type: 'string' } : filter.kind === 'request' ? ITEM['uuid']! : arrayOf({ type: 'string' });
}

/** Related objects that are shown by one value. */
const PLAIN_FORMS: Record<string, Schema> = { id: { type: 'integer' }, key: { type: 'string' } };

const HEAD: Record<string, Schema> = { id: { type: 'integer' }, url: { type: 'string', format: 'uri' }, display_url: { type: 'string', format: 'uri' }, display: { type: 'string' } };

function readSchema(catalogue: Catalogue, model: Model, form: 'complete' | 'brief'): Schema {
  const properties = Object.fromEntries(members(model, form).map((name): [string, Schema] => {
    const field = model.fields[name];
    if (!field) return [name, HEAD[name] ?? {}];
    const to = field.relation?.to ?? (field.reverse?.as === 'list' ? field.reverse.from : undefined);
    if (!to || !catalogue.has(to) || catalogue.get(to).part === 'hidden') return [name, field.schema.read];
    const plain = PLAIN_FORMS[field.relation?.form ?? ''];
    if (plain) return [name, field.relation?.many ? arrayOf(plain) : field.nullable ? { anyOf: [plain, { type: 'null' }] } : plain];
    const one = refTo(`Brief${catalogue.get(to).className}`);
    return [name, field.relation && !field.relation.many ? (field.nullable ? { anyOf: [one, { type: 'null' }] } : one) : arrayOf(one)];
  }));
  return { type: 'object', properties };
}

function writeSchema(model: Model): Schema {
  const writable = Object.entries(model.fields).filter(([, f]) => f.parse && !f.readOnly && !f.hidden);
  const properties: Record<string, Schema> = Object.fromEntries(writable.map(([name, f]) => [name, f.schema.write]));
  if (model.features.has('changeLogging')) properties['changelog_message'] = { type: 'string', maxLength: 200 };
  if (model.features.has('tags')) Object.assign(properties, { add_tags: { type: 'array' }, remove_tags: { type: 'array' } });
  const required = writable.filter(([, f]) => f.required).map(([name]) => name);
  return { type: 'object', properties, ...(required.length ? { required } : {}) };
}
