import { csrfField } from '@cadastre/service/web';
import { configPath } from '../../client/userConfig.ts';
import { configOf, SCHEMES } from '../../context/preferences.ts';
import { isZone } from '../../ui/time/zone.ts';
import type { PageOptions } from '../../context/pageOptions.ts';
import { SIZES } from '../../ui/url/pager.ts';
import { LANGUAGES } from '../../ui/texts/texts.ts';
import type { Page, PageRequest } from '../../context/pageRequest.ts';
import type { Answer } from '../../ui/page/answer.ts';

/** Where a form that is on every page returns to: only to pages of this installation, never to another site. */
const ownPath = (path: string | null): string | undefined =>
  path !== null && /^\/(?![/\\])[\x21-\x7e]*$/.test(path) ? path : undefined;

/** The user's preferences for the pages: language, times, colours, length of lists. */
export const preferencesPage = (_: PageOptions): Page => ({
  methods: ['GET', 'POST'],
  async answer(request) {
    return request.submitted.fields.has(csrfField) ? save(request) : form(request, {});
  },
});

async function save(request: PageRequest): Promise<Answer> {
  const { submitted, api, texts, preferences } = request;
  const { fields } = submitted;
  const said = (name: string): string | undefined => fields.get(name)?.trim() || undefined;
  const scheme = SCHEMES.find((one) => one === said('scheme'));
  const back = ownPath(fields.get('back'));
  // The form in the menu of every page sends only the colour scheme.
  const whole = back === undefined;
  const [zone, perPage] = [said('zone'), said('per_page')];
  const problems = {
    ...(zone !== undefined && !isZone(zone) ? { zone: texts('noSuchZone', { zone }) } : {}),
    ...(perPage !== undefined && !/^[1-9]\d{0,3}$/.test(perPage) ? { per_page: texts('notNumber') } : {}),
  };
  if (Object.keys(problems).length) return form(request, problems);
  await api.ask('PATCH', configPath, {
    body: whole
      ? configOf({
          scheme: scheme ?? preferences.scheme,
          language: LANGUAGES.find(({ code }) => code === said('language'))?.code,
          zone,
          perPage: perPage === undefined ? undefined : Number(perPage),
        })
      : { ui: { colormode: scheme ?? 'system' } },
  });
  return { to: back ?? '/user/preferences/' };
}

const form = async (
  { texts, submitted, preferences: { scheme, language, zone, perPage } }: PageRequest,
  problems: Record<string, string>,
): Promise<Answer> => ({
  view: 'user-preferences',
  title: texts('preferences'),
  status: Object.keys(problems).length ? 400 : 200,
  data: {
    problems,
    languages: LANGUAGES.map(({ code, name }) => ({
      code,
      name,
      here: code === (submitted.fields.get('language') ?? language),
    })),
    zone: submitted.fields.get('zone') ?? zone ?? '',
    zones: Intl.supportedValuesOf('timeZone'),
    sizes: SIZES.map((size) => ({
      size,
      here: String(size) === (submitted.fields.get('per_page') ?? String(perPage)),
    })),
    chosen: submitted.fields.get('scheme') ?? scheme,
  },
});
