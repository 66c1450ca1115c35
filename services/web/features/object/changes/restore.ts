import { isDict, type Json, type Model } from '@cadastre/model';
import type { Snapshot } from './differences.ts';
import { writtenFields } from '../../../schema/members.ts';

type Body = Record<string, Json>;

/** The body with which the API creates the object of a snapshot again. Snapshots have neither pictures nor secrets. */
export function bodyFrom(model: Model, snapshot: Snapshot): Body {
  const body: Body = {};
  if (!snapshot) return body;
  for (const [name, field] of writtenFields(model)) {
    const value = snapshot[name];
    if (value === undefined || value === null || field.upload || field.owned) continue;
    if (value === '' && field.choices) continue;
    body[name] = value;
  }
  const tags = snapshot['tags'];
  if (Array.isArray(tags) && tags.length && model.features.has('tags')) body['tags'] = tags.map((name) => ({ name }));
  const custom = snapshot['custom_fields'];
  if (isDict(custom) && Object.keys(custom).length) body['custom_fields'] = custom;
  return body;
}

/** The same values as the address of a form that they fill in. */
export function formAddress(home: string, model: Model, snapshot: Snapshot): string {
  const query = new URLSearchParams();
  const put = (name: string, value: Json): void => {
    if (Array.isArray(value) && value.every((one) => typeof one !== 'object'))
      for (const one of value) query.append(name, String(one));
    else if (typeof value === 'object' && value !== null) query.set(name, JSON.stringify(value));
    else if (value !== '' && value !== false) query.set(name, String(value));
  };
  const { tags: _, custom_fields: custom, ...own } = bodyFrom(model, snapshot);
  for (const [name, value] of Object.entries(own)) put(name, value);
  if (isDict(custom)) for (const [name, value] of Object.entries(custom)) if (value !== null) put(`cf_${name}`, value);
  return `${home}add/?${query}`;
}
