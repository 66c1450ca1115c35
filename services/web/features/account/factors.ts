import { HttpError } from '@cadastre/service/errors';
import { csrfField } from '@cadastre/service/web';
import { moment } from '../../schema/valueHtml.ts';
import type { PageOptions } from '../../context/pageOptions.ts';
import { problemsOf } from '../../client/problems.ts';
import type { Page, PageRequest } from '../../context/pageRequest.ts';
import type { Answer } from '../../ui/page/answer.ts';

const path = '/api/users/factors/';
const home = '/user/factors/';

/** The second factors of the requester, as the API shows them. */
interface Factors {
  required: boolean;
  factors: { id: number; kind: 'totp' | 'passkey'; name: string; created: string; last_used: string | null }[];
  recovery_codes: { left: number; of: number };
}

/** A factor that is being set up. Its secret is shown only the first time. */
type Enrolment = { key: string; name: string } & (
  | { kind: 'totp'; secret?: string; qr?: string }
  | { kind: 'passkey'; options: string }
);

interface Outcome {
  enrolment?: Enrolment;
  /** New recovery codes, which are shown this once. */
  codes?: string[];
  problems?: Record<string, string>;
  status?: number;
}

/** The user's own second factors: the page that sets them up, lists them and removes them. */
export const factorsPage = (_: PageOptions): Page => ({
  methods: ['GET', 'POST'],
  async answer(request) {
    const { fields } = request.submitted;
    if (!fields.has(csrfField)) return shown(request);
    if (fields.has('confirm')) return confirm(request);
    try {
      if (fields.has('begin')) return await begin(request);
      if (fields.has('codes')) {
        const { body } = await request.api.ask<{ recovery_codes: string[] }>('POST', `${path}recovery-codes/`);
        return await shown(request, { codes: body.recovery_codes });
      }
      const id = fields.get('remove') ?? '';
      if (!/^\d{1,15}$/.test(id)) throw new HttpError(400, { detail: 'Not found.' });
      await request.api.ask('DELETE', `${path}${id}/`);
      return { to: `${home}?done=removed` };
    } catch (error) {
      return refused(request, error);
    }
  },
});

async function begin(request: PageRequest): Promise<Answer> {
  const { api, submitted } = request;
  const name = submitted.fields.get('name')?.trim() ?? '';
  const body = { name };
  if (submitted.fields.get('begin') === 'passkey') {
    const { body: begun } = await api.ask<{ key: string; options: unknown }>('POST', `${path}passkeys/`, { body });
    const options = JSON.stringify(begun.options);
    return shown(request, { enrolment: { kind: 'passkey', key: begun.key, name, options } });
  }
  const { body: begun } = await api.ask<{ key: string; secret: string; qr: string }>('POST', `${path}totp/`, { body });
  return shown(request, {
    enrolment: { kind: 'totp', name, key: begun.key, secret: spaced(begun.secret), qr: pictureOf(begun.qr) },
  });
}

/** In groups of four characters, for copying by hand. */
const spaced = (secret: string): string => secret.replace(/.{4}(?=.)/g, '$& ');
/** As a data address, as the page's policy allows no inline content. */
const pictureOf = (svg: string): string => `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;

/** After a mistyped code the page asks for another one; the answer of a passkey can be used only once. */
async function confirm(request: PageRequest): Promise<Answer> {
  const { api, submitted } = request;
  const said = (name: string): string => submitted.fields.get(name)?.trim() ?? '';
  const [key, name, response] = [said('confirm'), said('name'), said('response')];
  try {
    const { body } = await api.ask<{ recovery_codes: string[] | null }>('POST', `${path}confirm/`, {
      body: { key, ...(response ? { response } : { code: said('code') }) },
    });
    return body.recovery_codes ? shown(request, { codes: body.recovery_codes }) : { to: `${home}?done=added` };
  } catch (error) {
    const again = response || (error instanceof HttpError && problemsOf(error)['key']);
    return refused(request, error, again ? undefined : { kind: 'totp', key, name });
  }
}

/** The page again, with the problem. */
function refused(request: PageRequest, error: unknown, enrolment?: Enrolment): Promise<Answer> {
  if (!(error instanceof HttpError) || ![400, 403, 404, 503].includes(error.status)) throw error;
  const { name: ofName, code, '': other, ...more } = problemsOf(error);
  const problems = {
    ...(ofName ? { name: ofName } : {}),
    ...(code ? { code } : {}),
    ...(other || Object.keys(more).length ? { '': [other, ...Object.values(more)].filter(Boolean).join(' ') } : {}),
  };
  return shown(request, { problems, status: error.status, ...(enrolment ? { enrolment } : {}) });
}

async function shown(
  { api, texts, query, submitted }: PageRequest,
  { enrolment, codes, problems = {}, status = 200 }: Outcome = {},
): Promise<Answer> {
  const { required, factors, recovery_codes: recovery } = await api.get<Factors>(path);
  const done = query.get('done');
  return {
    view: 'user-factors',
    title: texts('factors'),
    status,
    data: {
      done: done === 'added' ? texts('factorAdded') : done === 'removed' ? texts('factorRemoved') : undefined,
      missing: required && !factors.length,
      enrolment,
      codes,
      problems,
      name: submitted.fields.get('name') ?? '',
      recovery: { ...recovery, few: recovery.left <= 3 },
      factors: factors.map(({ kind, created, last_used, ...one }) => ({
        ...one,
        kind: texts(kind === 'totp' ? 'factorTotp' : 'factorPasskey'),
        created: moment(created),
        used: last_used === null ? texts('factorNever') : moment(last_used),
      })),
    },
  };
}
