import { bar, html, type Html, nothing, type PageView, search, type Wanted } from '@cadastre/pages';
import { type Network, networkText, spanOf } from '@cadastre/model';
import { say } from '../texts/say.ts';
import { type Row, rowsOf, shareTaken, sizeText } from './blocks.ts';
import { type Children, isContainer, type Prefix } from './prefixes.ts';
import { shareUsed, type Used } from './used.ts';

export interface Tree {
  root: Network;
  children: Children;
  used: Used;
  /** Link to a form for a prefix in a free block; undefined where none may be made. */
  given: Wanted | undefined;
  /** Whether prefixes of several routing tables are shown. */
  vrfs: boolean;
}

/** Deeper than this nothing is set in further. */
const DEEPEST = 8;

function fullness({ net, one }: { net: Network; one: Prefix }, { children, used }: Tree): Html {
  if (one.mark_utilized) return bar(100, say('marked as fully in use'));
  if (isContainer(one)) {
    const inside = children.all.filter((other) => other.one !== one && other.net.length > net.length);
    return bar(
      shareTaken(
        net,
        inside.map((other) => spanOf(other.net)),
      ),
    );
  }
  const share = shareUsed(net, used, one.is_pool);
  return share === undefined
    ? html`<span class="faint" title="${say('There are more addresses here than a page can count.')}">–</span>`
    : bar(share);
}

function row(one: Row<Prefix>, tree: Tree, { shown, pageOf }: PageView): Html {
  const depth = Math.min(one.depth, DEEPEST);
  const net = networkText(one.net);
  if (one.free) {
    const add = tree.given && `/ipam/prefixes/add/?${search({ prefix: net, ...tree.given })}`;
    return html`<tr class="free"><th scope="row" class="depth-${depth}">${add ? html`<a href="${add}" aria-label="${say('Add a prefix in {net}', { net })}">${net}</a>` : net}</th><td><span class="faint">${say('Free')}</span></td><td class="faint">${sizeText(one.net)}</td><td></td>${tree.vrfs ? html`<td></td>` : nothing}<td></td><td></td></tr>`;
  }
  const { one: prefix } = one;
  return html`<tr><th scope="row" class="depth-${depth}"><a href="${pageOf(prefix.url) ?? ''}">${prefix.prefix}</a></th><td>${shown(prefix.status)}</td><td>${fullness({ net: one.net, one: prefix }, tree)}</td><td>${shown(prefix.role)}</td>${tree.vrfs ? html`<td>${shown(prefix.vrf)}</td>` : nothing}<td>${shown(prefix.vlan)}</td><td>${prefix.description}</td></tr>`;
}

/** The prefixes in a network as a tree, with the free blocks between them. */
export function treeTable(tree: Tree, view: PageView): Html {
  const { root, children } = tree;
  const { upTo } = children;
  const rows = rowsOf(root, children.all).filter(
    ({ net, free }) => upTo === undefined || net.address < upTo || (!free && net.address === upTo),
  );
  const heads = [
    ...[say('Prefix'), say('Status'), say('In use'), say('Role')],
    ...(tree.vrfs ? ['VRF'] : []),
    ...[say('VLAN'), say('Description')],
  ];
  const more =
    upTo === undefined
      ? nothing
      : html`<p class="alert" role="status">${say('There are {count} prefixes here; only the first {shown} are shown.', { count: children.count, shown: children.all.length })}</p>`;
  return html`${more}<div class="scroll" tabindex="0" role="region" aria-label="${say('Prefixes in {net}', { net: networkText(root) })}"><table class="list space"><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows.map((one) => row(one, tree, view))}</tbody></table></div>`;
}
