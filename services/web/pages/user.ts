import { HttpError } from '@cadastre/service/errors';
import { proofField } from '@cadastre/service/web';
import { moment, shown } from '../cells.ts';
import { fieldLabel } from '../model/labels.ts';
import type { PagesOptions } from '../pages.ts';
import { problemsOf } from '../problems.ts';
import type { Answer, Page, Shown, Visit } from '../visit.ts';

const FIELDS = ['username', 'first_name', 'last_name', 'email', 'groups', 'date_joined', 'last_login'];

/** Who one is here. Everybody may know that of oneself. */
export const profilePage = ({ addresses }: PagesOptions): Page => ({
  methods: ['GET'],
  async answer({ api, texts, may }) {
    const self = await api.get<Shown>('/api/authentication-check/');
    const showing = { addresses, texts };
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

/** Another password for oneself, as far as the API lets one. All sessions end with the old one. */
export const passwordPage = (_: PagesOptions): Page => ({
  methods: ['GET', 'POST'],
  async answer(visit) {
    const { given, api, user, texts } = visit;
    const { fields } = given;
    if (!fields.has(proofField)) return passwordForm(visit, {});
    const password = fields.get('password') ?? '';
    if (!password) return passwordForm(visit, { password: texts('isNeeded') });
    if (password !== fields.get('again')) return passwordForm(visit, { again: texts('notTheSame') });
    try {
      await api.ask('PATCH', `/api/users/users/${user.userId}/`, { body: { password } });
    } catch (error) {
      if (!(error instanceof HttpError) || ![400, 403].includes(error.status)) throw error;
      const { '': other, password: own } = problemsOf(error);
      return passwordForm(visit, { password: own ?? other ?? texts('failed') });
    }
    return { to: '/login/' };
  },
});

async function passwordForm({ texts, may }: Visit, problems: Record<string, string>): Promise<Answer> {
  return {
    view: 'user-password',
    title: texts('password'),
    status: Object.keys(problems).length ? 400 : 200,
    data: { problems, allowed: await may('change', 'users.user') },
  };
}
