import type { Catalogue } from '@cadastre/model';
import type { Widget } from './widget.ts';

type Picker = Pick<Widget, 'name' | 'of' | 'kind'>;

/**
 * The pickers of a form that narrow another picker: those for the containers of its objects. A rack lies in a site,
 * which it must name, and in a location, which itself lies in the site; its tenant is not a container. A part lies in
 * the object that it belongs to.
 */
export function narrowings(
  { name, of }: Picker,
  form: readonly Picker[],
  catalogue: Catalogue,
): Readonly<Record<string, string>> {
  const target = of === undefined ? undefined : catalogue.models.get(of);
  if (!target) return {};
  const others = form.filter((one) => one.kind === 'picker' && one.of !== undefined && one.name !== name);
  const belongs = new Set([target.belongsTo ?? []].flat());
  const filters = catalogue.filtersOf(target);
  const leads = (type: string, other: Picker): boolean => {
    const field = catalogue.models.get(type)?.fields[other.name];
    return field?.relation?.many === false && field.relation.to === other.of;
  };
  const required = (type: string, other: Picker): boolean =>
    leads(type, other) && catalogue.models.get(type)!.fields[other.name]!.required;
  return Object.fromEntries(
    others
      .filter((other) => `${other.name}_id` in filters && leads(target.name, other))
      .filter(
        (other) =>
          belongs.has(other.name) ||
          required(target.name, other) ||
          others.some((further) => further !== other && required(other.of!, further)),
      )
      .map((other) => [`${other.name}_id`, other.name]),
  );
}
