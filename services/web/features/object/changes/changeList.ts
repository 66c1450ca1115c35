import type { Json } from '@cadastre/model';
import { html, type Html } from '@cadastre/pages';
import { moment, type Showing } from '../../../schema/valueHtml.ts';
import { choiceLabel, singularLabel } from '../../../schema/labels.ts';
import type { Shown, PageRequest } from '../../../context/pageRequest.ts';
import { type Difference, differences, type Snapshot } from './differences.ts';
import { namesIn, snapshotValue } from './snapshotNames.ts';

/** A change record, as the API shows it. */
export interface Change extends Shown {
  time: string;
  user_name: string;
  request_id: string;
  action: { value: string; label: string };
  message: string;
  changed_object_type: string;
  changed_object_id: number;
  changed_object: { [member: string]: Json } | null;
  object_repr: string;
  prechange_data: { [member: string]: Json } | null;
  postchange_data: { [member: string]: Json } | null;
}

export interface ChangeView {
  id: number;
  href: string;
  action: Change['action'];
  moment: Html;
  user: string;
  message: string;
  type: string;
  text: string;
  page: string | undefined;
  differences: { label: string; before: Html; after: Html; lines: Difference['lines'] }[];
}

/** Change records with the changes in words: referenced objects appear by name. */
export async function changeViews(
  request: PageRequest,
  showing: Showing,
  all: readonly Change[],
): Promise<ChangeView[]> {
  const { catalogue } = request;
  const read = all.map((change) => {
    const model = catalogue.models.get(change.changed_object_type);
    const before: Snapshot = change.prechange_data;
    const after: Snapshot = change.postchange_data;
    return { change, model, before, after, snapshots: [before, after], differences: differences(model, before, after) };
  });
  const names = await namesIn(request, read);
  return read.map(({ change, model, before, after, differences: found }) => {
    const url = change.changed_object?.['url'];
    return {
      id: change.id,
      href: `${recordsHome(request)}${change.id}/`,
      action: { ...change.action, label: choiceLabel(change.action.label) },
      moment: moment(change.time),
      user: change.user_name,
      message: change.message,
      type: model ? singularLabel(model) : change.changed_object_type,
      text: change.object_repr || `#${change.changed_object_id}`,
      page: typeof url === 'string' ? showing.addresses.pageOf(url) : undefined,
      differences: found.map(({ label, name, before: was, after: is, lines }) => ({
        label,
        lines,
        before: lines ? html`` : snapshotValue(was, name, before, model, names, showing),
        after: lines ? html`` : snapshotValue(is, name, after, model, names, showing),
      })),
    };
  });
}

/** The address of the pages for change records. */
export const recordsHome = ({ catalogue }: Pick<PageRequest, 'catalogue'>): string => {
  const records = [...catalogue.models.values()].find(({ fromEvents }) => fromEvents);
  return `/${records?.displayPath ?? ''}/`;
};

export const CHANGES = '/api/core/object-changes/';
