import type { Model } from '@cadastre/model';
import type { Listed } from '@cadastre/pages';
import type { Renderer } from '@cadastre/templates';
import type { Shown, PageRequest } from '../../../context/pageRequest.ts';
import { orNothing } from '../../../context/refusals.ts';

interface Definition extends Shown {
  name: string;
  link_text: string;
  link_url: string;
  group_name: string;
  button_class: string;
  new_window: boolean;
}

interface CustomLink {
  text: string;
  href: string;
  color: string;
  newWindow: boolean;
}

/** Links without a group have the empty group name. */
export interface LinkGroup {
  name: string;
  links: CustomLink[];
}

const TYPE = 'extras.customlink';
const LEADS = /^(https?:\/\/|mailto:|\/(?![/\\]))/i;

/** The custom links for objects of a type. A link with an empty text is not shown for this object. */
export async function customLinks(
  { api, catalogue, may, user }: Pick<PageRequest, 'api' | 'catalogue' | 'may' | 'user'>,
  renderer: Renderer,
  model: Model,
  object: Shown,
): Promise<LinkGroup[]> {
  if (!model.features.has('customLinks') || !catalogue.has(TYPE) || !(await may('view', TYPE))) return [];
  const path = `/api/extras/custom-links/?object_type=${model.name}&enabled=true&limit=100`;
  const { results } = (await orNothing(api.get<Listed<Definition>>(path))) ?? { results: [] };
  const context = JSON.stringify({ object, user: { id: user.userId, username: user.username } });
  const links = await Promise.all(
    results.map(async (one) => ({ group: one.group_name, link: await rendered(renderer, one, context) })),
  );
  const groups = new Map<string, CustomLink[]>();
  for (const { group, link } of links) if (link) groups.set(group, [...(groups.get(group) ?? []), link]);
  return [...groups].map(([name, of]) => ({ name, links: of }));
}

/** A link whose template fails has no address, and shows the error. */
async function rendered(
  renderer: Renderer,
  { name, link_text: text, link_url: url, button_class: color, new_window: newWindow }: Definition,
  context: string,
): Promise<CustomLink | undefined> {
  const link = await renderer.render({ text, url }, context).catch(() => undefined);
  if (!link) return { text: `${name} ⚠`, href: '', color, newWindow: false };
  const href = link.url.trim();
  return link.text.trim() === ''
    ? undefined
    : { text: link.text.trim(), href: LEADS.test(href) ? href : '', color, newWindow };
}
