import type { Json } from '@cadastre/model';
import type { Listed } from '@cadastre/pages';
import { HttpError } from '@cadastre/service/errors';
import { csrfField } from '@cadastre/service/web';
import { shown } from '../../schema/valueHtml.ts';
import { tokenHelp } from '../form/schema/tokenPolicy.ts';
import { instantText, zoneOf } from '../../ui/time/formTimes.ts';
import type { PageOptions } from '../../context/pageOptions.ts';
import { pager, pageQuery } from '../../ui/url/pager.ts';
import { problemsOf } from '../../client/problems.ts';
import type { Page, Shown, PageRequest } from '../../context/pageRequest.ts';
import type { Answer } from '../../ui/page/answer.ts';

const home = '/user/api-tokens/';
const path = '/api/users/tokens/';
const COLUMNS = ['enabled', 'write_enabled', 'created', 'expires', 'last_used', 'allowed_ips', 'description'];

/** The user's own tokens: created here, shown once, deleted. */
export const tokensPage = (options: PageOptions): Page => ({
  methods: ['GET', 'POST'],
  async answer(request) {
    const { submitted, api, user } = request;
    const { fields } = submitted;
    if (!fields.has(csrfField)) return tokens(request, options);
    const gone = fields.get('delete');
    try {
      if (gone !== null) {
        // Only the user's own tokens, even if the user may delete others elsewhere.
        const own = await api.get<Listed>(`${path}?id=${Number(gone)}&user_id=${user.userId}&fields=id`);
        if (own.count !== 1) throw new HttpError(404, { detail: 'Not found.' });
        await api.ask('DELETE', `${path}${Number(gone)}/`);
        return { to: home };
      }
      const { body } = await api.ask<Shown>('POST', path, { body: bodyOf(fields, user.userId) });
      return await tokens(request, options, { made: body });
    } catch (error) {
      if (!(error instanceof HttpError) || ![400, 403, 409].includes(error.status)) throw error;
      return tokens(request, options, { problems: problemsOf(error), status: error.status });
    }
  },
});

function bodyOf(fields: URLSearchParams, user: number): Record<string, Json> {
  const said = (name: string): string => fields.get(name)?.trim() ?? '';
  const expires = said('expires');
  return {
    user,
    version: 2,
    description: said('description'),
    write_enabled: fields.has('write_enabled'),
    ...(expires ? { expires: instantText(expires) } : {}),
    ...(said('allowed_ips') ? { allowed_ips: said('allowed_ips').split(/[\s,]+/) } : {}),
  };
}

interface Outcome {
  /** A new token, which is shown this once. */
  made?: Shown;
  problems?: Record<string, string>;
  status?: number;
}

async function tokens(
  request: PageRequest,
  { catalogue, addresses }: PageOptions,
  { made, problems = {}, status = 200 }: Outcome = {},
): Promise<Answer> {
  const { api, user, query, texts, submitted, preferences } = request;
  const asked = new URLSearchParams(pageQuery(query, preferences.perPage));
  asked.set('user_id', String(user.userId));
  const list = await api.get<Listed>(`${path}?${asked}`);
  const fields = catalogue.models.get('users.token')?.fields ?? {};
  const secret = made && String(made['token'] ?? '');
  return {
    view: 'user-tokens',
    title: texts('ownTokens'),
    status,
    data: {
      // A v2 token is shown with its key in front, the form in which clients send it.
      secret: secret && made['key'] && !secret.includes('.') ? `svc_${made['key']}.${secret}` : secret,
      ...zoneOf([{ kind: 'datetime' }]),
      problems,
      expiresHelp: await tokenHelp(request),
      given: problems && !made ? Object.fromEntries(submitted.fields) : {},
      columns: COLUMNS.map((name) => texts(`token_${name}` as 'token_enabled')),
      tokens: list.results.map((one) => ({
        id: one.id,
        display: one.display,
        cells: COLUMNS.map((name) => shown(one[name], fields[name], { addresses, catalogue, texts })),
      })),
      pager: pager(list, home, query, preferences.perPage),
    },
  };
}
