import type { Request, Response } from 'express';
import { csrfField } from '@cadastre/service/web';
import { contextOf } from '../../arrive/request-context.ts';
import { clearCookie, ownCookie, setCookie } from '../../arrive/own-cookies.ts';
import type { FactorChallenge } from '../../identify/factor-challenges.ts';
import { type PendingForm, parsePendingForm } from '../../web/pending-form.ts';
import type { SessionStarter } from './session-starter.ts';
import type { PagesOptions } from '../frame/options.ts';
import type { Answer } from '../frame/page.ts';
import { checkedFactor, factorsAsked, givenFactor, refusalOf } from './factors.ts';
import { say } from '../frame/texts/say.ts';

/** The step after the right password, for users with second factors. */
export interface SecondStep {
  covers(path: string): boolean;
  /** Asks for a second factor; nobody has logged in yet. */
  begin(req: Request, res: Response, who: Omit<FactorChallenge, 'id'>, kept?: PendingForm): Promise<Answer>;
  answer(req: Request, res: Response, form: URLSearchParams): Promise<Answer>;
}

interface Around {
  entering: SessionStarter;
  /** The login once more, from its beginning. */
  tooLate(req: Request, res: Response, next: string, kept?: PendingForm): Promise<Answer>;
  goOn(kept: PendingForm, session: string): Answer;
}

const path = '/login/second/';

export function secondStep(options: PagesOptions, { entering, tooLate, goOn }: Around): SecondStep {
  const { challenges, csrf, log } = options;

  async function show(
    req: Request,
    step: FactorChallenge,
    problem?: { status: number; text: string },
    kept?: PendingForm,
  ): Promise<Answer> {
    return {
      view: 'second-step',
      title: say('Second step'),
      status: problem?.status ?? 200,
      data: {
        action: path,
        csrfToken: csrf.issue('second', step.id),
        problem: problem?.text,
        kept: kept && JSON.stringify(kept),
        ...(await factorsAsked(req, { ...step, about: step.id }, options)),
      },
    };
  }

  return {
    covers: (asked) => asked === path,
    async begin(req, res, who, kept) {
      const { cookie, step } = await challenges.begin(who);
      setCookie(req, res, 'step', cookie, challenges.seconds);
      return show(req, step, undefined, kept);
    },
    async answer(req, res, form) {
      const cookie = ownCookie(req, 'step');
      const step = cookie === undefined ? null : await challenges.open(cookie);
      const kept = parsePendingForm(form.get('kept'));
      if (req.method !== 'POST') return step ? show(req, step) : { to: '/login/' };
      if (!step || !csrf.verify(form.get(csrfField) ?? '', 'second', step.id))
        return tooLate(req, res, step?.next ?? '/', kept);
      const given = givenFactor(form);
      const again = (problem: { status: number; text: string }) => show(req, step, problem, kept);
      if (!given) return again({ status: 400, text: say('A code is needed.') });
      const checked = await checkedFactor(req, form, { ...step, about: step.id }, given, options);
      const problem = refusalOf(res, checked, say('This is not right, or was used before.'));
      if (problem) {
        log.warn(
          { client: contextOf(req).rateLimitKey, user_id: step.userId, request_id: res.getHeader('X-Request-ID') },
          'a second step failed',
        );
        return again(problem);
      }
      clearCookie(req, res, 'step');
      const { userId, stamp, method, next } = step;
      const session = await entering.begin(req, res, {
        userId,
        stamp,
        failures: checked.failures,
        method: `${method}+${given.kind}`,
      });
      return kept ? goOn(kept, session) : { to: next };
    },
  };
}
