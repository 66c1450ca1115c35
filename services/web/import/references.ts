import type { Catalogue, Dict, Json, Model } from '@cadastre/model';
import type { Api, Listed } from '@cadastre/pages';
import { apiPath } from '../model/addresses.ts';
import type { Widget } from '../model/widgets.ts';
import type { Shown } from '../visit.ts';
import { type Draft, keep, type Named } from './columns.ts';

/** So many names are asked for at once: addresses have a length. */
const AT_ONCE = 80;

export interface ReferenceTexts {
  none(label: string, text: string): string;
  several(label: string, text: string): string;
}

/** By what an object may be named, where nobody says by what. */
const calledBy = (model: Model, catalogue: Catalogue): string[] => {
  const filters = catalogue.filtersOf(model);
  return [...new Set(['name', 'slug', model.key ?? 'name', ...model.display.columns, 'username'])].filter(
    (name) => name in model.fields && name in filters && !model.fields[name]!.relation,
  );
};

/** The type of the objects that a text stands for: another field of the row may say it. */
const typeOf = ({ of, ofField }: Widget, { body }: Draft): string | undefined =>
  ofField ? (typeof body[ofField] === 'string' ? body[ofField] : undefined) : of;

/**
 * Puts ids in the place of names. The number of questions grows with the types that are named, and with the hundreds of
 * names, not with the rows.
 */
export async function resolveNames(
  api: Api,
  catalogue: Catalogue,
  drafts: readonly Draft[],
  texts: ReferenceTexts,
): Promise<void> {
  const wanted = new Map<string, { model: Model; attribute: string; texts: Set<string> }>();
  for (const draft of drafts)
    for (const { widget, attribute, text } of draft.named) {
      const model = catalogue.models.get(typeOf(widget, draft) ?? '');
      for (const by of model ? (attribute ? [attribute] : calledBy(model, catalogue)) : []) {
        const key = `${model!.name} ${by}`;
        if (!wanted.has(key)) wanted.set(key, { model: model!, attribute: by, texts: new Set() });
        wanted.get(key)!.texts.add(text);
      }
    }
  const found = new Map(
    await Promise.all(
      [...wanted].map(async ([key, { model, attribute, texts: names }]) => {
        const objects = await askBy(api, model, attribute, [...names]);
        const byText = new Map<string, Shown[]>();
        for (const one of objects) {
          const text = told(one[attribute]);
          byText.set(text, [...(byText.get(text) ?? []), one]);
        }
        return [key, byText] as const;
      }),
    ),
  );
  const candidatesOf = (model: Model, attribute: string | undefined, text: string): Shown[] => {
    for (const by of attribute ? [attribute] : calledBy(model, catalogue)) {
      const some = found.get(`${model.name} ${by}`)?.get(text.toLowerCase());
      if (some?.length) return some;
    }
    return [];
  };
  // What another object lies in is known first: a rack is told from others of its name by its site.
  for (const narrowed of [false, true])
    for (const draft of drafts)
      for (const one of draft.named)
        if (Boolean(one.widget.narrowed) === narrowed) resolveOne(draft, one, catalogue, candidatesOf, texts);
}

function resolveOne(
  draft: Draft,
  { widget, attribute, text }: Named,
  catalogue: Catalogue,
  candidatesOf: (model: Model, attribute: string | undefined, text: string) => Shown[],
  texts: ReferenceTexts,
): void {
  const model = catalogue.models.get(typeOf(widget, draft) ?? '');
  const all = model ? candidatesOf(model, attribute, text) : [];
  const fitting = all.length > 1 ? all.filter((one) => fits(one, widget, draft.body)) : all;
  const some = fitting.length ? fitting : all;
  if (some.length !== 1) {
    draft.problems[widget.name] = (some.length ? texts.several : texts.none)(widget.label, text);
    return;
  }
  const { id } = some[0]!;
  keep(draft, widget, widget.kind === 'pickers' ? [widget.name === 'tags' ? { id } : id] : id);
}

/** Whether an object lies in what else the row names. */
const fits = (one: Shown, { narrowed = {} }: Widget, body: Dict): boolean =>
  Object.values(narrowed).every((name) => {
    const lies = one[name] as { id?: number } | null | undefined;
    return typeof body[name] !== 'number' || lies === undefined || lies?.id === body[name];
  });

const told = (value: Json | undefined): string =>
  (typeof value === 'object' && value !== null && 'value' in value
    ? String(value['value'])
    : String(value ?? '')
  ).toLowerCase();

/** The objects whose attribute is one of these. */
export async function askBy(api: Api, model: Model, attribute: string, names: readonly string[]): Promise<Shown[]> {
  const all: Shown[] = [];
  for (let at = 0; at < names.length; at += AT_ONCE) {
    const query = new URLSearchParams({ limit: '1000' });
    for (const name of names.slice(at, at + AT_ONCE)) query.append(attribute, name);
    all.push(...(await api.get<Listed<Shown>>(`${apiPath(model)}?${query}`)).results);
  }
  return all;
}
