import { either, type Filter, path, tree } from '@cadastre/model';

/** What a circuit may end at. */
export const places = ['dcim.region', 'dcim.sitegroup', 'dcim.site', 'dcim.location', 'circuits.providernetwork'];

/** A place and every filter by it: the paths that lead to one from a termination, over what it is within. */
const within: Record<string, { paths: string[]; by: (path: string, attribute?: string) => Filter }> = {
  region: { paths: ['termination:dcim.region', 'termination:dcim.site/region', 'termination:dcim.location/site.region'], by: tree },
  site_group: { paths: ['termination:dcim.sitegroup', 'termination:dcim.site/group', 'termination:dcim.location/site.group'], by: tree },
  site: { paths: ['termination:dcim.site', 'termination:dcim.location/site'], by: path },
  location: { paths: ['termination:dcim.location'], by: tree },
};

/** Filters by where terminations are, for a model from which the steps lead to them (for terminations themselves: none). */
export function placeFilters(steps?: string): Record<string, Filter> {
  const start = steps ? `${steps}/` : '';
  return Object.fromEntries(Object.entries(within).flatMap(([name, { paths, by }]) => {
    const all = (attribute?: string): Filter => either(...paths.map((one) => by(start + one, attribute)));
    return [[`${name}_id`, all()], [name, all('slug')]];
  }));
}
