/** JSON of an answer, loosely typed so that tests can look into it. */
// biome-ignore lint/suspicious/noExplicitAny: an answer is compared with what the test expects, member by member
export type Body = any;

export interface Answer {
  status: number;
  headers: Headers;
  body: Body;
  text: string;
}

/** Describes how an answer differs from what it should be; undefined when it does not. */
export type Check = (method: string, address: string, answer: Answer) => string | undefined;

export interface AskOptions {
  body?: unknown;
  /** Sent as it is instead of `body`. */
  raw?: string | Uint8Array;
  headers?: Record<string, string>;
}

/** A client of the API for one token. Answers of any status are returned, never thrown. */
export class Client {
  readonly base: string;
  readonly authorization: string | undefined;
  readonly #check: Check | undefined;

  /** With `check`, an answer that it objects to is thrown as an error. */
  constructor(base: string, authorization?: string, check?: Check) {
    this.base = base;
    this.authorization = authorization;
    this.#check = check;
  }

  /** The same server with another authorization; without `authorization` as an anonymous client. */
  as(authorization?: string): Client {
    return new Client(this.base, authorization, this.#check);
  }

  async ask(method: string, path: string, { body, raw, headers = {} }: AskOptions = {}): Promise<Answer> {
    const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(path.startsWith('http') ? path : this.base + path, {
      method,
      redirect: 'manual',
      ...(content === undefined ? {} : { body: content as NonNullable<RequestInit['body']> }),
      headers: {
        ...(this.authorization ? { Authorization: this.authorization } : {}),
        ...(content === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
    });
    const text = await response.text();
    const answer = { status: response.status, headers: response.headers, text, body: parsed(text) };
    const difference = this.#check?.(method, path, answer);
    if (difference !== undefined)
      throw new Error(`The answer is not as the API document says: ${difference}\n${text.slice(0, 1000)}`);
    return answer;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.ask('GET', path, { headers });
  }
  post(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.ask('POST', path, { body, headers });
  }
  put(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.ask('PUT', path, { body, headers });
  }
  patch(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.ask('PATCH', path, { body, headers });
  }
  delete(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.ask('DELETE', path, { body, headers });
  }

  /** Creates an object that a test needs. @throws Error that shows the answer when it is not 201 */
  async make(path: string, body: unknown): Promise<Body> {
    const answer = await this.post(path, body);
    if (answer.status !== 201)
      throw new Error(
        `POST ${path} ${JSON.stringify(body).slice(0, 500)}: ${answer.status} ${answer.text.slice(0, 1000)}`,
      );
    return answer.body;
  }

  /** Reads an object that must exist. @throws Error that shows the answer when it is not 200 */
  async read(path: string): Promise<Body> {
    const answer = await this.get(path);
    if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status} ${answer.text.slice(0, 1000)}`);
    return answer.body;
  }

  /**
   * The objects of all pages of a list: files that run at the same time may have created more of them than a page
   * holds.
   */
  async all(path: string): Promise<Body[]> {
    const seen: Body[] = [];
    for (let at: string | null = path; at; ) {
      const page: Body = await this.read(at);
      seen.push(...page.results);
      at = page.next;
    }
    return seen;
  }

  /** One attribute of each object of a list, in its order. */
  async column(path: string, name = 'name'): Promise<Body[]> {
    return ((await this.read(path)) as { results: Record<string, Body>[] }).results.map((one) => one[name]);
  }
}

function parsed(text: string): Body {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
