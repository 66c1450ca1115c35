import { webPath } from '@cadastre/model';
import { csrfField } from '@cadastre/service/web';
import { configPath } from '../../client/userConfig.ts';
import { pluralLabel } from '../../schema/labels.ts';
import { inOrder } from '../../shell/navigation.ts';
import type { PageOptions } from '../../context/pageOptions.ts';
import type { TextName } from '../../ui/texts/texts.ts';
import type { Page, PageRequest } from '../../context/pageRequest.ts';
import type { Answer } from '../../ui/page/answer.ts';

/** Keys that act on every page, or wherever there is what they are for. */
const KEYS: readonly (readonly [keys: readonly string[], text: TextName])[] = [
  [['?'], 'keyHelp'],
  [['/'], 'keySearch'],
  [['f'], 'keyFilters'],
  [['a'], 'keyAdd'],
  [['e'], 'keyEdit'],
  [['Esc'], 'keyClose'],
  [['g', 'h'], 'keyHome'],
];

/** What keys do, and whether they do anything: who speaks to the computer, or types without looking, may turn them off. */
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

/** One letter keys have to be turned off by those whom they get in the way (WCAG 2.1.4). */
async function turn({ api, submitted }: PageRequest): Promise<Answer> {
  await api.ask('PATCH', configPath, { body: { ui: { keys: submitted.fields.get('keys') === 'on' } } });
  return { to: '/user/keyboard/' };
}
