import type { Listed } from '@cadastre/pages';
import { moment } from '../../schema/valueHtml.ts';
import { pager } from '../../ui/url/pager.ts';
import type { TextName } from '../../ui/texts/texts.ts';
import type { Page } from '../../context/pageRequest.ts';
import { answered, done } from './operations.ts';

const home = '/core/parked-events/';

interface Parked {
  service: string;
  id: number;
  parked: string;
  last_replay: string | null;
  value?: string;
}

const DONE: Readonly<Record<string, TextName>> = { replayed: 'parkedReplayed', discarded: 'parkedDiscarded' };

const shown = (event: Parked) => ({
  ...event,
  at: `${home}${event.service}/${event.id}/`,
  parked: moment(event.parked),
  last: event.last_replay === null ? undefined : moment(event.last_replay),
});

const list: Page = {
  methods: ['GET'],
  async answer(request) {
    const { results, count, unavailable, shortened } = answered<Listed<Parked> & { unavailable: string[] }>(request);
    const said = DONE[request.query.get('_done') ?? ''];
    return {
      view: 'parked',
      title: request.texts('parkedEvents'),
      data: {
        events: results.map(shown),
        unavailable: unavailable.join(', '),
        shortened,
        done: said && request.texts(said),
        pager: pager({ count, results }, home, request.query),
      },
    };
  },
};

const one: Page = {
  methods: ['GET'],
  async answer(request) {
    const event = answered<Parked>(request);
    const { service, id, value = '' } = event;
    return {
      view: 'parked-event',
      title: request.texts('parkedEvent', { service, id }),
      data: {
        event: shown(event),
        value: readable(value),
        home,
        api: `/api${request.path}`,
        shortened: event.shortened,
      },
    };
  },
};

/** JSON formatted over several lines; any other text unchanged. */
function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Events that services could not process, for superusers: the gateway asks the services for them. */
export const parkedPages: Readonly<Record<string, Page>> = {
  [home]: list,
  [`${home}*/*/`]: one,
  [`${home}*/*/replay/`]: done(`${home}?_done=replayed`),
  [`${home}*/*/delete/`]: done(`${home}?_done=discarded`),
};
