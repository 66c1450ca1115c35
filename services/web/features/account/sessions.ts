import type { Listed } from '@cadastre/pages';
import { HttpError } from '@cadastre/service/errors';
import { csrfField } from '@cadastre/service/web';
import { moment } from '../../schema/valueHtml.ts';
import { browserOf } from './browsers.ts';
import type { PageOptions } from '../../context/pageOptions.ts';
import type { Texts } from '../../ui/texts/texts.ts';
import type { Page, PageRequest } from '../../context/pageRequest.ts';
import type { Answer } from '../../ui/page/answer.ts';

const path = '/api/users/sessions/';
const home = '/user/sessions/';

/** A session, as the API shows it. */
interface Session {
  id: number;
  created: string;
  last_seen: string;
  expires: string;
  address: string;
  browser: string;
  current: boolean;
}

/** The user's own sessions, which can be ended here. */
export const sessionsPage = (_: PageOptions): Page => ({
  methods: ['GET', 'POST'],
  async answer(request) {
    return request.submitted.fields.has(csrfField) ? end(request) : shown(request);
  },
});

async function end({ api, submitted: { fields } }: PageRequest): Promise<Answer> {
  const id = fields.get('end');
  if (id !== null && !/^\d{1,15}$/.test(id)) throw new HttpError(400, { detail: 'Not found.' });
  await api.ask('DELETE', id === null ? path : `${path}${id}/`).catch((error: unknown) => {
    // A session that has ended in the meantime needs no ending.
    if (!(error instanceof HttpError) || error.status !== 404) throw error;
  });
  return { to: `${home}?done=${id === null ? 'others' : 'one'}` };
}

async function shown({ api, texts, query }: PageRequest): Promise<Answer> {
  const { results } = await api.get<Listed<Session>>(path);
  const done = query.get('done');
  return {
    view: 'user-sessions',
    title: texts('sessions'),
    data: {
      done: done === 'others' ? texts('sessionsEnded') : done === 'one' ? texts('sessionEnded') : undefined,
      others: results.some(({ current }) => !current),
      sessions: results.map(({ browser, created, last_seen, expires, ...one }) => ({
        ...one,
        said: browser,
        browser: nameOf(browser, texts),
        created: moment(created),
        seen: moment(last_seen),
        expires: moment(expires),
      })),
    },
  };
}

function nameOf(said: string, texts: Texts): string {
  const { name = texts('otherBrowser'), system } = browserOf(said);
  return system === undefined ? name : texts('browserOn', { browser: name, system });
}
