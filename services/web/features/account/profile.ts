import { HttpError } from '@cadastre/service/errors';
import { csrfField } from '@cadastre/service/web';
import { moment, shown } from '../../schema/valueHtml.ts';
import { passwordHelp } from '../form/schema/passwordPolicy.ts';
import { fieldLabel } from '../../schema/labels.ts';
import type { PageOptions } from '../../context/pageOptions.ts';
import { problemsOf } from '../../client/problems.ts';
import type { Page, Shown, PageRequest } from '../../context/pageRequest.ts';
import type { Answer } from '../../ui/page/answer.ts';

const FIELDS = ['username', 'first_name', 'last_name', 'email', 'groups', 'date_joined', 'last_login'];

/** Who one is here. Everybody may know that of oneself. */
export const profilePage = ({ addresses, catalogue }: PageOptions): Page => ({
  methods: ['GET'],
  async answer({ api, texts, may }) {
    const self = await api.get<Shown>('/api/authentication-check/');
    const showing = { addresses, catalogue, texts };
    return {
      view: 'user-profile',
      title: texts('profile'),
      data: {
        rows: FIELDS.map((name) => ({
          label: fieldLabel(name),
          value:
            /^(date|last_login)/.test(name) && self[name]
              ? moment(String(self[name]))
              : shown(self[name], undefined, showing),
        })),
        edit: (await may('change', 'users.user')) ? `${addresses.pageOf(self.url)}edit/` : undefined,
      },
    };
  },
});

/** Changes the user's own password, which requires the present one. All sessions end with that. */
export const passwordPage = (_: PageOptions): Page => ({
  methods: ['GET', 'POST'],
  async answer(request) {
    const { submitted, api, texts } = request;
    const { fields } = submitted;
    if (!fields.has(csrfField)) return passwordForm(request, {});
    const [current, password] = [fields.get('current_password') ?? '', fields.get('password') ?? ''];
    const problems = {
      ...(current ? {} : { current_password: texts('isNeeded') }),
      ...(password ? {} : { password: texts('isNeeded') }),
      ...(password === fields.get('again') ? {} : { again: texts('notTheSame') }),
    };
    if (Object.keys(problems).length) return passwordForm(request, problems);
    try {
      await api.ask('POST', '/api/users/password/', { body: { current_password: current, password } });
    } catch (error) {
      if (!(error instanceof HttpError) || ![400, 403, 429].includes(error.status)) throw error;
      return passwordForm(request, problemsOf(error), error.status);
    }
    return { to: '/login/' };
  },
});

const PASSWORDS = [
  { name: 'current_password', label: 'presentPassword', kind: 'current-password' },
  { name: 'password', label: 'newPassword', kind: 'new-password' },
  { name: 'again', label: 'passwordAgain', kind: 'new-password' },
] as const;

const passwordForm = async (
  request: PageRequest,
  problems: Record<string, string>,
  status = Object.keys(problems).length ? 400 : 200,
): Promise<Answer> => ({
  view: 'user-password',
  title: request.texts('password'),
  status,
  data: { problems, passwords: PASSWORDS, helps: { password: await passwordHelp(request) } },
});
