import { apiPath, type Model, webPath } from '@cadastre/model';
import { cloneQuery } from '../../form/clone.ts';
import { pluralLabel, singularLabel, titleLabel } from '../../../schema/labels.ts';
import type { PageOptions } from '../../../context/pageOptions.ts';
import { tabsOf } from './tabs.ts';
import type { Shown, PageRequest } from '../../../context/pageRequest.ts';
import { customLinks } from '../panels/customLinks.ts';
import { togglesOf } from '../panels/toggles.ts';
import { fillsIn, referringTo } from '../../../context/referring.ts';

type Options = Pick<PageOptions, 'catalogue' | 'parts' | 'renderer'>;

/** The head of every page of an object: its name, its tabs, and its actions. */
export async function headOf(request: PageRequest, model: Model, object: Shown, options: Options) {
  const { path, may } = request;
  const { catalogue, renderer } = options;
  const home = webPath(model)!;
  const address = `${home}${object.id}/`;
  const mayDo = async (action: string): Promise<boolean> => !model.readOnly && (await may(action, model.name));
  const own = options.parts.actions.filter(({ on, has }) => on === model.name && (!has || has(object)));
  const [mayEdit, mayDelete, mayAdd, tabs, toggles, links, adds, mine] = await Promise.all([
    mayDo('change'),
    mayDo('delete'),
    mayDo('add'),
    tabsOf(request, model, object, address, options),
    togglesOf(request, model, object),
    customLinks(request, renderer, model, object),
    addsOf(request, options, model, object),
    Promise.all(own.map(({ may: needed }) => may(needed, model.name))),
  ]);
  return {
    actions: own
      .filter((_, i) => mine[i])
      .map(({ title, name, form, main }) => ({
        title: titleLabel(title),
        href: `${address}${name}/`,
        asks: form !== undefined,
        main: main?.(object) ?? false,
      })),
    mayEdit,
    mayDelete,
    mayAdd,
    model: { label: singularLabel(model), plural: pluralLabel(model), home },
    object,
    address,
    api: `${apiPath(model)}${object.id}/`,
    tabs,
    toggles,
    links,
    adds,
    here: path,
    exported: model.documents && `${home}?id=${object.id}&export=documents`,
    clone: mayAdd && model.features.has('cloning') ? `${home}add/?${cloneQuery(model, object, catalogue)}` : undefined,
  };
}

/** The links that add parts to an object. */
async function addsOf({ may }: PageRequest, { catalogue }: Options, model: Model, object: Shown) {
  const children = referringTo(catalogue, model.name).filter(
    ({ child, page, model: from }) => child && page && !from.readOnly,
  );
  const all = await Promise.all(
    children.map(async (one) =>
      (await may('add', one.model.name))
        ? [{ label: singularLabel(one.model), href: `${one.page}add/?${fillsIn(model.name, one, object.id)}` }]
        : [],
    ),
  );
  return all.flat();
}
