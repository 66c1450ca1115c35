export interface Shown {
  status: number;
  location: string | null;
  html: string;
  /** The address of the page that is shown. */
  url: string;
  headers: Headers;
}

/** A browser without scripts that visits several sites, and keeps their cookies apart. */
export interface Jar {
  /** Sends one request; a redirect is not followed. */
  ask(url: string, init?: RequestInit): Promise<Shown>;
  /** Follows redirects until `until` holds for an address. */
  go(url: string, until?: (url: string) => boolean): Promise<Shown>;
  post(url: string, form: Record<string, string>): Promise<Shown>;
  cookies(origin: string): Map<string, string>;
}

const LONGEST_WAY = 15;

export function jar(): Jar {
  const all = new Map<string, Map<string, string>>();
  const of = (origin: string) => {
    const known = all.get(origin) ?? new Map<string, string>();
    all.set(origin, known);
    return known;
  };

  function keep(origin: string, headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) of(origin).delete(name!);
      else of(origin).set(name!, value!);
    }
  }

  async function ask(url: string, init: RequestInit = {}): Promise<Shown> {
    const { origin } = new URL(url);
    const cookie = [...of(origin)].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      redirect: 'manual',
      ...init,
      headers: { ...(cookie ? { cookie } : {}), ...(init.headers as Record<string, string>) },
    });
    keep(origin, response.headers);
    const location = response.headers.get('location');
    return {
      status: response.status,
      location: location && new URL(location, url).href,
      html: await response.text(),
      url,
      headers: response.headers,
    };
  }

  return {
    ask,
    cookies: of,
    post: (url, form) => ask(url, { method: 'POST', body: new URLSearchParams(form) }),
    async go(url, until = () => false) {
      let shown = await ask(url);
      for (let way = 0; shown.location !== null && !until(shown.location); way++) {
        if (way === LONGEST_WAY) throw new Error(`There is no end of it: ${shown.location}`);
        shown = await ask(shown.location);
      }
      return shown;
    },
  };
}
