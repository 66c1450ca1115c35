import { html, type Html, type PageView, search } from '@cadastre/pages';
import { fitting } from '../../actions/svg.ts';
import type { GraphEdge } from './graph.ts';
import { NODE, type Placed, type PlacedNode } from './layout.ts';
import { say } from '../texts/say.ts';

type Leads = Pick<PageView, 'pageOf'>;

const middle = ({ x, y }: PlacedNode) => ({ x: x + NODE.width / 2, y: y + NODE.height / 2 });

/** Lines lie under the boxes, from middle to middle. */
function line(edge: GraphEdge, at: ReadonlyMap<string, PlacedNode>): Html {
  const [one, other] = [at.get(edge.a)!, at.get(edge.b)!];
  const [from, to] = [middle(one), middle(other)];
  const half = (to.y - from.y) / 2;
  const way = `M${from.x.toFixed(1)} ${from.y.toFixed(1)}c0 ${half.toFixed(1)} ${(to.x - from.x).toFixed(1)} ${half.toFixed(1)} ${(to.x - from.x).toFixed(1)} ${(to.y - from.y).toFixed(1)}`;
  const { cables } = edge;
  const [first] = cables;
  const href =
    cables.length === 1 ? `/dcim/cables/${first!.id}/` : `/dcim/cables/?${search({ id: cables.map(({ id }) => id) })}`;
  const color = new Set(cables.map((cable) => cable.color)).size === 1 ? first!.color : '';
  const planned = cables.every(({ status }) => status !== 'connected');
  const title = `${one.node.name} – ${other.node.name}: ${cables.map(({ name }) => name).join(', ')}`;
  const count =
    cables.length > 1
      ? html`<text class="count" x="${((from.x + to.x) / 2).toFixed(1)}" y="${((from.y + to.y) / 2).toFixed(1)}">×${cables.length}</text>`
      : '';
  return html`<a class="line" href="${href}" tabindex="-1" data-between="${edge.a} ${edge.b}"><title>${title}</title><path class="wide" d="${way}"/><path class="${planned ? 'cable planned' : 'cable'}" d="${way}"${/^[0-9a-f]{6}$/i.test(color) ? html` stroke="#${color}"` : ''}/>${count}</a>`;
}

function box({ node, x, y }: PlacedNode, { pageOf }: Leads): Html {
  const href = pageOf(node.url) ?? '';
  const left = node.color
    ? html`<rect x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="6" height="${NODE.height}" rx="3" fill="#${node.color}"/>`
    : '';
  const center = (x + NODE.width / 2).toFixed(1);
  return html`<a class="${node.outside ? 'node outside' : 'node'}" href="${href}" data-key="${node.key}" data-text="${`${node.name} ${node.about}`.toLowerCase()}"><title>${[node.name, node.about].filter(Boolean).join('\n')}</title><rect class="box" x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${NODE.width}" height="${NODE.height}" rx="5"/>${left}<text class="name" x="${center}" y="${(y + (node.about ? 15 : NODE.height / 2)).toFixed(1)}">${fitting(node.name, NODE.width - 20, 13)}</text>${node.about ? html`<text class="about" x="${center}" y="${(y + 31).toFixed(1)}">${fitting(node.about, NODE.width - 20, 11)}</text>` : ''}</a>`;
}

/** Devices and what connects them. */
export function drawing({ nodes, edges, width, height }: Placed, leads: Leads): Html {
  const at = new Map(nodes.map((one) => [one.node.key, one]));
  return html`<svg class="topology" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="group" aria-label="${say('Topology')}"><g>${edges.map((edge) => line(edge, at))}</g>${nodes.map((one) => box(one, leads))}</svg>`;
}

/** The same in words: what each device is connected to. */
export function asTable({ nodes, edges }: Placed, { pageOf }: Leads): Html {
  const names = new Map(nodes.map(({ node }) => [node.key, node]));
  const rows = nodes
    .filter(({ node }) => !node.outside)
    .map(({ node }) => {
      const others = edges.flatMap(({ a, b, cables }) => {
        const other = a === node.key ? b : b === node.key ? a : undefined;
        return other === undefined ? [] : [{ one: names.get(other)!, cables }];
      });
      const cells = others.map(
        ({ one, cables }, i) =>
          html`${i ? ', ' : ''}<a href="${pageOf(one.url) ?? ''}">${one.name}</a> <span class="faint">${cables.map(({ name }) => name).join(' ')}</span>`,
      );
      return html`<tr><th scope="row"><a href="${pageOf(node.url) ?? ''}">${node.name}</a></th><td>${node.about}</td><td>${cells}</td></tr>`;
    });
  return html`<details class="as-text"><summary>${say('As a table')}</summary><div class="scroll" tabindex="0" role="region" aria-label="${say('Devices and what they are connected to')}"><table class="list"><thead><tr>${[say('Device'), say('Role'), say('Connected to')].map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div></details>`;
}
