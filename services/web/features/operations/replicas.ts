import { type Listed, numberText } from '@cadastre/pages';
import { moment } from '../../schema/valueHtml.ts';
import { typeLabel } from '../../schema/labels.ts';
import { pager } from '../../ui/url/pager.ts';
import type { TextName } from '../../ui/texts/texts.ts';
import type { Page, PageRequest } from '../../context/pageRequest.ts';
import { answered } from './operations.ts';

const home = '/core/replicas/';

interface Replica {
  service: string;
  type: string;
  owner: string;
  rows: number;
  in_part: boolean;
  lag: number | null;
  state: string;
  reason: string;
  error: string | null;
  filled: string | null;
}

const STATES = new Set(['current', 'filling', 'failing']);

interface Report {
  service: string;
  type: string;
  rows: number;
  missing: number;
  extra: number;
  different: number;
  matches: boolean;
}

const list: Page = {
  methods: ['GET'],
  async answer(request) {
    const { results, count, unavailable } = answered<Listed<Replica> & { unavailable: string[] }>(request);
    const { texts, catalogue } = request;
    return {
      view: 'replicas',
      title: texts('replicas'),
      data: {
        replicas: results.map((one) => ({
          ...one,
          at: `${home}${one.service}/${one.type}/`,
          label: typeLabel(one.type, catalogue),
          stateText: STATES.has(one.state) ? texts(`replica_${one.state}` as TextName) : one.state,
          rows: numberText(one.rows),
          lag: one.lag === null ? undefined : texts('replicaSeconds', { count: Math.round(one.lag * 10) / 10 }),
          filled: one.filled === null ? undefined : moment(one.filled),
        })),
        unavailable: unavailable.join(', '),
        pager: pager({ count, results }, home, request.query),
      },
    };
  },
};

const verified: Page = {
  methods: ['POST'],
  async answer(request) {
    const { matches, service, type, rows, missing, extra, different } = answered<Report>(request);
    const values = { service, type, rows, missing, extra, different };
    return said(request, request.texts(matches ? 'replicaMatches' : 'replicaDiffers', values), !matches);
  },
};

const rebuilding: Page = {
  methods: ['POST'],
  async answer(request) {
    const { service, type } = answered<Report>(request);
    return said(request, request.texts('replicaRebuilding', { service, type }), false);
  },
};

const said = ({ texts }: PageRequest, text: string, bad: boolean) => ({
  view: 'said',
  title: texts('replicas'),
  data: { text, bad, back: { href: home, label: texts('replicas') } },
});

/** The copies that services keep of each other's objects, for superusers: the gateway asks the services for them. */
export const replicaPages: Readonly<Record<string, Page>> = {
  [home]: list,
  [`${home}*/*/verify/`]: verified,
  [`${home}*/*/rebuild/`]: rebuilding,
};
