import type { Route } from '@gatehouse/gateway/route';
import { derivedBody } from './derived-body.ts';
import { EXAMPLES, type Example } from './examples.ts';

/** A valid request to a route. */
export interface ExampleRequest {
  readonly verb: string;
  /** The path below /api/v1, with its query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

const FORM = 'application/x-www-form-urlencoded';
const ID = '1234567890123456789';

/** Placeholders of secrets. */
export interface Secrets {
  /** A session token. */
  readonly session: string;
  readonly bot: string;
  readonly webhook: string;
  /** A token from a mail. */
  readonly mail: string;
}

export function exampleRequest(row: Route, secrets: Secrets): ExampleRequest {
  const example = EXAMPLES[`${row.service}.${row.rpc}`];
  const { form, headers = {}, query } = example ?? {};
  const [content_type, text] = writeBody(example === undefined ? derivedBody(row) : example.body, form);
  const token = row.service === 'auth' ? secrets.mail : secrets.webhook;
  const path = row.path.replaceAll(/\{(\w+)\}/g, (_, param) => (param === 'token' ? token : ID));
  return {
    verb: row.verb,
    target: query === undefined ? path : `${path}?${query}`,
    headers: {
      ...authorization(row, secrets),
      ...headers,
      ...(content_type !== undefined && { 'Content-Type': content_type }),
    },
    body: text,
  };
}

function writeBody(body: Example['body'], form: Example['form']): [content_type?: string, text?: string] {
  if (form !== undefined) {
    const pairs = Object.entries(form).map(([name, value]) => `${name}=${encodeValue(value)}`);
    return [FORM, pairs.join('&')];
  }
  return body === undefined ? [] : ['application/json', JSON.stringify(body)];
}

/** Leaves variables for the shell to expand. */
function encodeValue(value: string): string {
  return value.startsWith('$') ? value : encodeURIComponent(value);
}

/** Of a page of the web app at its default address. */
const SIGN_IN_COOKIE = { Cookie: `gatehouse=${'A'.repeat(43)}`, Origin: 'http://127.0.0.1:8080' };

function authorization({ access, cookie }: Route, { session, bot }: Secrets): Record<string, string> {
  if (cookie === 'resumes') return SIGN_IN_COOKIE;
  if (access === 'public') return {};
  return { Authorization: access === 'bot' ? `Bot ${bot}` : `Bearer ${session}` };
}
