import { webPath } from '@cadastre/model';
import { csrfField } from '@cadastre/service/web';
import { configPath } from '../../client/userConfig.ts';
import { pluralLabel } from '../../schema/labels.ts';
import { inOrder } from '../../shell/navigation.ts';
import type { PageOptions } from '../../context/pageOptions.ts';
import type { TextName } from '../../ui/texts/texts.ts';
import type { Page, PageRequest } from '../../context/pageRequest.ts';
import type { Answer } from '../../ui/page/answer.ts';

/** Keys that work on every page, or on every page that has the matching element. */
const KEYS: readonly (readonly [keys: readonly string[], text: TextName])[] = [
  [['?'], 'keyHelp'],
  [['/'], 'keySearch'],
  [['f'], 'keyFilters'],
  [['a'], 'keyAdd'],
  [['e'], 'keyEdit'],
  [['Esc'], 'keyClose'],
  [['g', 'h'], 'keyHome'],
];

/**
 * The list of keys, and the switch that turns them off: they get in the way of people who use speech input or type
 * without looking.
 */
export const keyboardPage = ({ catalogue }: PageOptions): Page => {
  const places = inOrder(catalogue).flatMap((model) => {
    const href = webPath(model);
    return model.prominent?.key && href ? [{ keys: ['g', model.prominent.key], label: pluralLabel(model), href }] : [];
  });
  return {
    methods: ['GET', 'POST'],
    async answer(request) {
      if (request.submitted.fields.has(csrfField)) return turn(request);
      const { texts, preferences } = request;
      return {
        view: 'user-keyboard',
        title: texts('keyboard'),
        data: { on: preferences.keys, keys: KEYS.map(([keys, text]) => ({ keys, label: texts(text) })), places },
      };
    },
  };
};

/** WCAG 2.1.4 requires that single-letter shortcuts can be turned off. */
async function turn({ api, submitted }: PageRequest): Promise<Answer> {
  await api.ask('PATCH', configPath, { body: { ui: { keys: submitted.fields.get('keys') === 'on' } } });
  return { to: '/user/keyboard/' };
}
