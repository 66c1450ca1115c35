import { apiPath } from '@cadastre/model';
import type { Listed } from '@cadastre/pages';
import { singularLabel } from '../../schema/labels.ts';
import type { PageOptions } from '../../context/pageOptions.ts';
import type { ModelPage, Shown } from '../../context/pageRequest.ts';
import { OFFERED } from './fields/field.ts';

/**
 * The options of a picker for the typed text, as JSON for our scripts; with `made`, the page that hands a new object to
 * the picker.
 */
export const optionsPage = (_: PageOptions): ModelPage => ({
  methods: ['GET'],
  async answer({ api, query, texts }, model) {
    const made = query.get('made');
    if (made !== null && /^\d{1,15}$/.test(made)) {
      const object = await api.get<Shown>(`${apiPath(model)}${made}/`);
      return {
        view: 'made',
        title: texts('madeForPicker', { name: object.display }),
        data: { model: { label: singularLabel(model) }, object, forPicker: query.get('for') ?? '' },
      };
    }
    const asked = new URLSearchParams(query);
    asked.set('limit', String(OFFERED));
    asked.set('brief', 'true');
    const list = await api.get<Listed<Shown>>(`${apiPath(model)}?${asked}`);
    return {
      body: JSON.stringify({
        more: Math.max(0, list.count - list.results.length),
        options: list.results.map(({ id, display, description, _depth }) => ({
          id,
          display,
          description: description ?? '',
          depth: typeof _depth === 'number' ? _depth : 0,
        })),
      }),
      type: 'json',
    };
  },
});
