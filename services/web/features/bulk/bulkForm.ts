import type { Dict, Json, Model } from '@cadastre/model';
import type { CustomWidget } from '../form/schema/customFieldWidgets.ts';
import { formSchema } from '../form/schema/formSchema.ts';
import { givenValue } from '../form/fields/values.ts';
import { yesNo } from '../../schema/widgets.ts';
import type { Widget } from '../../schema/widget.ts';
import type { PageRequest } from '../../context/pageRequest.ts';
import { renamedField } from '../../schema/columns.ts';

/** A field that can be set to the same value in several objects. */
export interface BulkWidget extends Widget {
  /** Whether it can be emptied. */
  clears: boolean;
  /** The value of the field when it is emptied. */
  nothing: Json;
  /** The custom field that it belongs to. */
  custom: string | undefined;
  boolean: boolean;
}

export interface BulkForm {
  own: BulkWidget[];
  tags: BulkWidget[];
  custom: BulkWidget[];
}

const LISTS = new Set<Widget['kind']>(['pickers', 'selects', 'checks', 'list']);
const TEXTS = new Set<Widget['kind']>(['text', 'area', 'url', 'email']);
const NULLS = new Set<Widget['kind']>(['picker', 'number', 'date', 'datetime', 'json']);

/** The widgets of a form for several objects: an empty widget leaves the field unchanged. */
export async function bulkForm(request: PageRequest, model: Model): Promise<BulkForm> {
  const form = await formSchema(request, model);
  const unique = new Set([
    renamedField(model),
    ...Object.entries(model.fields).flatMap(([name, { column }]) => (column?.unique ? [name] : [])),
  ]);
  const own = form.own
    .filter(({ name, kind }) => !unique.has(name) && !['secret', 'file', 'rows'].includes(kind))
    .map((widget) => bulkWidget(widget, model.fields[widget.name]?.kind === 'boolean'));
  const { tags } = form;
  const { texts } = request;
  return {
    own,
    tags: tags
      ? [
          { ...bulkWidget(tags, false), name: 'add_tags', label: texts('addTags'), clears: false },
          { ...bulkWidget(tags, false), name: 'remove_tags', label: texts('removeTags'), clears: false },
        ]
      : [],
    custom: form.custom.map(ofCustom),
  };
}

function bulkWidget(widget: Widget, boolean: boolean): BulkWidget {
  const { kind, required, nullable } = widget;
  return {
    ...widget,
    // A checkbox and a colour input always have a value; a select and a text input can be empty, which means no change.
    kind: boolean ? 'select' : kind === 'color' ? 'text' : kind,
    choices: boolean ? yesNo() : widget.choices,
    required: false,
    clears: !required && (nullable || TEXTS.has(kind) || LISTS.has(kind)),
    nothing: LISTS.has(kind) ? [] : nullable || NULLS.has(kind) ? null : '',
    custom: undefined,
    boolean,
  };
}

const ofCustom = (widget: CustomWidget): BulkWidget => ({
  ...bulkWidget(widget, widget.kind === 'select' && widget.choices[0]?.value === 'true'),
  nothing: null,
  custom: widget.custom,
});

/** The changes that the form makes to every object. */
export function bulkChanges(
  { own, tags, custom }: BulkForm,
  fields: URLSearchParams,
): { body: Dict; problems: Record<string, string> } {
  const cleared = new Set(fields.getAll('_nullify'));
  const problems: Record<string, string> = {};
  const valuesOf = (widgets: readonly BulkWidget[]): [BulkWidget, Json][] =>
    widgets.flatMap((widget): [BulkWidget, Json][] => {
      if (widget.clears && cleared.has(widget.name)) return [[widget, widget.nothing]];
      const given = fields.getAll(widget.name).filter((text) => text.trim() !== '');
      if (!given.length) return [];
      const found = givenValue(widget, given);
      if (found === undefined) return [];
      if ('problem' in found) {
        problems[widget.name] = found.problem;
        return [];
      }
      return [[widget, widget.boolean ? found.value === 'true' : found.value]];
    });
  const body: Dict = Object.fromEntries(valuesOf(own).map(([{ name }, value]) => [name, value]));
  for (const [{ name }, value] of valuesOf(tags)) body[name] = (value as Json[]).map((id) => ({ id }));
  const customs = valuesOf(custom).map(([widget, value]) => [widget.custom!, value] as const);
  if (customs.length) body['custom_fields'] = Object.fromEntries(customs);
  return { body, problems };
}
