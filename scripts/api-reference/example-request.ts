import type { Row } from '@gatehouse/gateway/route';
import { derivedBody } from './derived-body.ts';
import { EXAMPLES } from './examples.ts';

/** A request that the edge takes for this row. */
export interface ExampleRequest {
  readonly verb: string;
  /** Below /api/v1, with its query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

const ID = '1234567890123456789';

/** What stands where a person puts a secret. */
export interface Secrets {
  /** A session token. */
  readonly session: string;
  readonly bot: string;
  readonly webhook: string;
  /** From a mail. */
  readonly mail: string;
}

export function exampleRequest(row: Row, secrets: Secrets): ExampleRequest {
  const example = EXAMPLES[`${row.service}.${row.rpc}`];
  const { body, headers = {}, query } = example ?? { body: derivedBody(row) };
  const token = row.service === 'auth' ? secrets.mail : secrets.webhook;
  const path = row.path.replaceAll(/\{(\w+)\}/g, (_, param) => (param === 'token' ? token : ID));
  return {
    verb: row.verb,
    target: query === undefined ? path : `${path}?${query}`,
    headers: {
      ...authorization(row, secrets),
      ...headers,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  };
}

function authorization({ who }: Row, { session, bot }: Secrets): Record<string, string> {
  if (who === 'public') return {};
  return { Authorization: who === 'bot' ? `Bot ${bot}` : `Bearer ${session}` };
}

const TYPED: Secrets = {
  session: '$TOKEN',
  bot: '$BOT_TOKEN',
  webhook: '$WEBHOOK_TOKEN',
  mail: '$MAIL_TOKEN',
};

/** The same as a person types it. */
export function curl(row: Row): string {
  const { verb, target, headers, body } = exampleRequest(row, TYPED);
  const method = verb === 'GET' || (verb === 'POST' && body !== undefined) ? '' : `-X ${verb} `;
  const lines = [`curl ${method}"$API${target}"`];
  for (const [name, value] of Object.entries(headers)) {
    const quote = value.includes('$') ? '"' : "'";
    lines.push(`-H ${quote}${name}: ${value}${quote}`);
  }
  if (body !== undefined) lines.push(`-d '${body.replaceAll("'", "'\\''")}'`);
  return `\`\`\`sh\n${lines.join(' \\\n  ')}\n\`\`\`\n`;
}
