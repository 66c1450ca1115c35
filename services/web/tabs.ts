import type { Model } from '@cadastre/model';
import type { Parts, Shown } from '@cadastre/pages';
import type { Texts } from './texts/texts.ts';

export interface Tab {
  label: string;
  href: string;
  here: boolean;
}

/** The pages of one object beside each other: what all have, and what its model's service adds. */
export function tabsOf(
  model: Model,
  object: Shown,
  address: string,
  path: string,
  { panels }: Required<Parts>,
  texts: Texts,
): Tab[] {
  const own = panels
    .filter(({ on, as, has }) => on === model.name && as === 'tab' && (!has || has(object)))
    .map(({ title, name }): [string, string] => [title, `${address}${name}/`]);
  const tabs: [label: string, href: string][] = [
    [texts('details'), address],
    ...own,
    ...(model.features.has('journaling') ? [[texts('journal'), `${address}journal/`] as [string, string]] : []),
    ...(model.features.has('changeLogging') ? [[texts('changelog'), `${address}changelog/`] as [string, string]] : []),
  ];
  return tabs.map(([label, href]) => ({ label, href, here: path === href }));
}
