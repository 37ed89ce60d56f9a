import { Authenticator } from '@gatehouse/dev-env/second-factors/authenticator';
import { totp } from '@gatehouse/dev-env/second-factors/totp';
import { type ConsoleUnderTest, IN_TIME } from './start-console.ts';

/** The members of a JSON object. */
export type Members = Readonly<Record<string, unknown>>;

/** An answer of the console's API. */
export interface Answer<Body = Members> {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON, as its test expects it; undefined if there is none. */
  readonly body: Body;
  readonly text: string;
}

export interface VisitorOptions {
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>>;
}

export const PASSWORD = 'correct horse battery';

/** A browser, or a command with a token: it keeps the cookie that the console sets. */
export class Visitor {
  readonly url: string;
  cookie: string | undefined;
  readonly #headers: Record<string, string>;

  constructor({ url }: Pick<ConsoleUnderTest, 'url'>, { headers = {} }: VisitorOptions = {}) {
    this.url = url;
    this.#headers = { 'x-gatehouse-console': '1', ...headers };
  }

  /** The same browser with other headers; an empty one is left out. */
  with(headers: Readonly<Record<string, string>>): Visitor {
    const other = new Visitor(this, { headers: { ...this.#headers, ...headers } });
    other.cookie = this.cookie;
    return other;
  }

  /** The headers of each request. */
  headers(): Record<string, string> {
    const headers = { ...this.#headers, ...(this.cookie !== undefined && { cookie: this.cookie }) };
    return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''));
  }

  get<Body = Members>(path: string): Promise<Answer<Body>> {
    return this.send<Body>('GET', path);
  }

  post<Body = Members>(path: string, body: object = {}): Promise<Answer<Body>> {
    return this.send<Body>('POST', path, body);
  }

  async send<Body = Members>(method: string, path: string, body?: object | string): Promise<Answer<Body>> {
    const response = await fetch(this.url + path, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...this.headers() },
      body: typeof body === 'object' ? JSON.stringify(body) : (body ?? null),
    });
    const text = await response.text();
    const set = response.headers.get('set-cookie');
    if (set !== null) this.cookie = set.split(';')[0];
    const isJson = /^application\/json(?:;|$)/.test(response.headers.get('content-type') ?? '');
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && text !== '' ? JSON.parse(text) : undefined,
      text,
    };
  }
}

/** Makes an operator over gRPC. Returns the token of its one-time link, and its token for the command line. */
export async function newOperator(
  { operators }: Pick<ConsoleUnderTest, 'operators'>,
  name: string,
  role = 'admin',
): Promise<{ link_token: string; token: string }> {
  const { link, token } = await operators.addOperator({ name, role, with_token: true }, IN_TIME);
  return { link_token: link.slice(link.indexOf('#') + 1), token: token ?? '' };
}

/** A command with an operator's token. */
export async function commandOf(service: ConsoleUnderTest, name: string, role = 'admin'): Promise<Visitor> {
  const { token } = await newOperator(service, name, role);
  return new Visitor(service, { headers: { authorization: `Bearer ${token}`, 'x-gatehouse-console': '' } });
}

/** Opens a one-time link, and sets a password and TOTP. Returns the TOTP secret. */
export async function enrolByPassword(visitor: Visitor, link_token: string): Promise<string> {
  await expectOk(visitor.post('/api/sign-in/link', { token: link_token }));
  const { secret } = (await expectOk(visitor.post<{ secret: string }>('/api/enrol/totp'))).body;
  await expectOk(visitor.post('/api/enrol/password', { password: PASSWORD, code: totp(secret) }));
  return secret;
}

/** Opens a one-time link, and makes a passkey. */
export async function enrolByPasskey(visitor: Visitor, link_token: string): Promise<Authenticator> {
  const authenticator = new Authenticator({ origin: visitor.url });
  await expectOk(visitor.post('/api/sign-in/link', { token: link_token }));
  const options = (await expectOk(visitor.post('/api/enrol/passkey/options'))).text;
  const response: unknown = JSON.parse(authenticator.create(options));
  await expectOk(visitor.post('/api/enrol/passkey', { response }));
  return authenticator;
}

/** A browser that is signed in. */
export async function signedIn(
  service: ConsoleUnderTest,
  name: string,
  role = 'admin',
  options: VisitorOptions = {},
): Promise<Visitor> {
  const { link_token } = await newOperator(service, name, role);
  const visitor = new Visitor(service, options);
  await enrolByPassword(visitor, link_token);
  return visitor;
}

export async function expectOk<Body>(answer: Promise<Answer<Body>>): Promise<Answer<Body>> {
  const got = await answer;
  if (got.status !== 200) throw new Error(`${got.status}: ${got.text}`);
  return got;
}
