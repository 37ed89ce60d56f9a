import type { Row } from '@gatehouse/gateway/route';
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

/** `token` and `webhookToken` stand where a person puts a session token and a webhook's. */
export function exampleRequest(row: Row, token: string, webhookToken: string): ExampleRequest {
  const { body, headers = {}, query } = EXAMPLES[`${row.service}.${row.rpc}`] ?? {};
  const path = row.path.replaceAll(/\{(\w+)\}/g, (_, param) => (param === 'token' ? webhookToken : ID));
  return {
    verb: row.verb,
    target: query === undefined ? path : `${path}?${query}`,
    headers: {
      ...(row.who === 'public' ? {} : { Authorization: `Bearer ${token}` }),
      ...headers,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  };
}

/** The same as a person types it. */
export function curl(row: Row): string {
  const { verb, target, headers, body } = exampleRequest(row, '$TOKEN', '$WEBHOOK_TOKEN');
  const method = verb === 'GET' || (verb === 'POST' && body !== undefined) ? '' : `-X ${verb} `;
  const lines = [`curl ${method}"$API${target}"`];
  for (const [name, value] of Object.entries(headers)) {
    const quote = value.includes('$') ? '"' : "'";
    lines.push(`-H ${quote}${name}: ${value}${quote}`);
  }
  if (body !== undefined) lines.push(`-d '${body.replaceAll("'", "'\\''")}'`);
  return `\`\`\`sh\n${lines.join(' \\\n  ')}\n\`\`\`\n`;
}
