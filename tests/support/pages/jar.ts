import { eventually } from '../eventually.ts';
import { PageForm } from './pageForm.ts';

/** The answer of a page. */
export interface Shown {
  status: number;
  /** The target of a redirect; empty without one. */
  location: string;
  html: string;
  headers: Headers;
}

/** A browser without scripts that keeps its cookies and fills in the forms that it is shown. */
export class Jar {
  readonly base: string;
  readonly cookies = new Map<string, string>();

  constructor(base: string) {
    this.base = base;
  }

  async visit(path: string, init: RequestInit & { headers?: Record<string, string> } = {}): Promise<Shown> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(new URL(path, this.base), {
      redirect: 'manual',
      ...init,
      headers: { ...(cookie ? { cookie } : {}), accept: 'text/html', ...init.headers },
    });
    for (const one of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(one)!;
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(one)) this.cookies.delete(name!);
      else this.cookies.set(name!, value!);
    }
    return {
      status: response.status,
      location: response.headers.get('location') ?? '',
      html: await response.text(),
      headers: response.headers,
    };
  }

  get(path: string): Promise<Shown> {
    return this.visit(path);
  }

  /** Sent like a request from a page of the same origin. */
  post(path: string, fields: Record<string, string> | [string, string][]): Promise<Shown> {
    return this.visit(path, {
      method: 'POST',
      headers: { origin: this.base },
      body: new URLSearchParams(fields as Record<string, string>),
    });
  }

  /** Fills in a form of a page, and submits it. @param button that is pressed, where its value matters */
  send(
    { html }: Pick<Shown, 'html'>,
    values: Record<string, string> = {},
    { selector = 'main form[method="post"]', button }: { selector?: string; button?: [string, string] } = {},
  ): Promise<Shown> {
    const form = new PageForm(html, selector);
    for (const [name, value] of Object.entries(values)) form.fill(name, value);
    return this.post(form.action, [...form.sent(), ...(button ? [button] : [])]);
  }

  /** Submits the login form; on a busy machine, repeats it until the server has time for it. */
  logIn(username: string, password: string, next = ''): Promise<Shown> {
    return eventually(async () => {
      const page = await this.get(`/login/${next ? `?next=${encodeURIComponent(next)}` : ''}`);
      const shown = await this.send(page, { username, password });
      if (shown.status === 503) throw new Error('Nobody could log in.');
      return shown;
    });
  }

  get inSession(): boolean {
    return [...this.cookies.keys()].some((name) => name.endsWith('cadastre_session'));
  }
}
