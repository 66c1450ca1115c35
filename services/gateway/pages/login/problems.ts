import { say } from '../frame/texts/say.ts';

/** Why a login that another system vouches for came to nothing, as the visitor reads it. */
export function problemText(problem: string): { status: number; text: string } {
  switch (problem) {
    case 'stale':
      return {
        status: 400,
        text: say('This login was begun in another window, took too long, or has been used already. Please try again.'),
      };
    case 'denied':
      return { status: 403, text: say('The login was cancelled, or you may not log in here.') };
    case 'unreachable':
      return { status: 503, text: say('The login service cannot be reached at present. Please try again later.') };
    case 'busy':
      return { status: 503, text: say('Too many log in at present. Please try again.') };
    case 'incomplete':
      return { status: 403, text: say('The login service does not say who you are. Please ask your administrator.') };
    case 'unknown':
      return { status: 403, text: say('You have no account here. Please ask your administrator.') };
    case 'inactive':
      return { status: 403, text: say('Your account is not active. Please ask your administrator.') };
    case 'taken':
      return {
        status: 403,
        text: say('Your name belongs to another account here already. Please ask your administrator.'),
      };
    case 'unusable':
      return { status: 403, text: say('No account here can have your name. Please ask your administrator.') };
    case 'old':
      return {
        status: 403,
        text: say('The login service has not asked you anew who you are. Please try again, or ask your administrator.'),
      };
    case 'another':
      return {
        status: 403,
        text: say('Somebody else has logged in at the login service. Please log in there as yourself.'),
      };
    case 'off':
      return { status: 404, text: say('There is no such login here.') };
    default:
      return { status: 403, text: say('What the login service said does not count. Please try again.') };
  }
}
