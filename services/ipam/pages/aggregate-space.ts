import { bar, html, type Panel, type Shown } from '@cadastre/pages';
import { spanOf } from '@cadastre/model';
import { netOf, shareTaken } from './space/blocks.ts';
import { childrenOf } from './space/prefixes.ts';
import { treeTable } from './space/tree.ts';
import { usedIn } from './space/used.ts';
import { say } from './texts/say.ts';

/** What of an aggregate is in use: its prefixes, whatever their routing table, and what is free between them. */
const prefixes: Panel = {
  on: 'ipam.aggregate',
  as: 'tab',
  name: 'prefixes',
  title: 'Prefixes',
  async render(view) {
    const { api, object, may } = view;
    const root = netOf(object['prefix']);
    const [children, used, mayAdd] = await Promise.all([
      childrenOf(api, root, undefined),
      usedIn(api, [root], undefined),
      may('add', 'ipam.prefix'),
    ]);
    const share = shareTaken(
      root,
      children.all.map((one) => spanOf(one.net)),
    );
    const given = mayAdd ? { tenant: (object['tenant'] as Shown | null)?.id } : undefined;
    return html`<p>${bar(share, say('covered by prefixes'))}</p>${treeTable({ root, children, used, given, vrfs: true }, view)}`;
  },
};

export const panels: readonly Panel[] = [prefixes];
