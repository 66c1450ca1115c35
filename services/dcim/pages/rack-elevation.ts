import { html, type Html, nothing, type Panel, type PanelView } from '@cadastre/pages';
import { contentsOf, type Rack } from './elevation/contents.ts';
import type { Picture } from './elevation/drawing.ts';
import { hiddenIn, occupiedIn } from './elevation/hidden.ts';
import { move, moveForm, type Refused } from './elevation/moving.ts';
import { asTable, faces, unplaced, utilization } from './elevation/parts.ts';

async function pictureOf({ api, object, may, pageOf, choiceLabel }: PanelView): Promise<Picture> {
  const rack = object as Rack;
  const [contents, occupied, mayAdd, mayMove] = await Promise.all([
    contentsOf(api, [rack]),
    occupiedIn(api, [rack.id]),
    may('add', 'dcim.device'),
    may('change', 'dcim.device'),
  ]);
  const hidden = hiddenIn(occupied.get(rack.id), contents.devices);
  return { rack, ...contents, hidden, mayAdd, mayMove, pageOf, choiceLabel };
}

async function render(view: PanelView, refused?: Refused): Promise<Html> {
  const picture = await pictureOf(view);
  const devices = picture.devices.filter(({ height }) => height > 0);
  // The page of the rack shows the same as a panel; its form is submitted to the tab.
  const action = `/dcim/racks/${picture.rack.id}/elevation/`;
  return html`<div class="elevation"><p>${utilization(picture)}</p>${faces(picture)}${unplaced(picture)}${picture.mayMove && devices.length ? moveForm(view, [picture.rack], devices, action, refused) : nothing}${asTable(picture)}</div>`;
}

const elevation = { on: 'dcim.rack', name: 'elevation', title: 'Elevation' } as const;

export const panels: readonly Panel[] = [
  { ...elevation, as: 'panel', render: (view) => render(view) },
  {
    ...elevation,
    as: 'tab',
    render: (view) => render(view),
    async post(view) {
      const done = await move(view);
      return typeof done === 'string' ? done : render(view, done);
    },
  },
];
