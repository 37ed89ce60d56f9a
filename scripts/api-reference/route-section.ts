import { type BucketFacts, describeRow, type RowFacts } from '@gatehouse/cli/commands/routes/describe-row';
import { binarySize } from '@gatehouse/cli/output/quantities';
import type { Access, Route } from '@gatehouse/gateway/route';
import { messageName, SERVICES } from '@gatehouse/gateway/service-definitions';
import { type MessageSchema, messageSchema } from '@gatehouse/kit/json';
import type { ContractComments } from './contract-comments.ts';
import { statusOf } from './error-tables.ts';
import { curlExample } from './example-request.ts';
import { formOf, link } from './members.ts';
import { requestTable } from './message-tables.ts';
import { errorsOf } from './rpc-errors.ts';

const ACCESS: Readonly<Record<Access, string>> = {
  public: 'none needed',
  user: 'a user’s session',
  user_or_bot: 'a user’s session or a bot',
  bot: 'a bot',
};

/** The section of a route. */
export function routeSection(row: Route, comments: ContractComments): string {
  const facts = describeRow(row);
  const points = [
    `Credential: ${credentialOf(facts)}.`,
    `Buckets: ${bucketsOf(facts)}.${memberBucketsOf(facts)}`,
    ...(facts.body_limit_bytes === null ? [] : [`Body: ${bodyOf(row, facts, comments)}`]),
    `Answer: ${answerOf(row, facts)}.`,
    ...errorPoint(errorsOf(comments, rpcName(row))),
  ];
  const parts = [
    `### ${row.verb} ${row.path}\n`,
    `${summary(row, comments)}\n`,
    points.map((point) => `- ${point}\n`).join(''),
    requestTable(row, comments),
    curlExample(row),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

/** The RPC's comment, without its name and its errors. */
export function summary(row: Route, comments: ContractComments): string {
  const [text = ''] = comments.get(rpcName(row))?.split(/\n?^Errors: /m) ?? [];
  const said = text.replaceAll('\n', ' ').replace(/^\w+ /, '');
  return said.charAt(0).toUpperCase() + said.slice(1);
}

/** The full name of a route's RPC. */
export function rpcName({ service, method }: Route): string {
  return `${SERVICES[service].fullName}.${method.name}`;
}

function credentialOf({ access, scope }: RowFacts): string {
  return scope === null
    ? ACCESS[access]
    : `${ACCESS[access]}, or an access token with the scope \`${scope}\``;
}

function bucketsOf({ buckets, global_exempt }: RowFacts): string {
  return [...buckets.map(bucketText), ...(global_exempt ? [] : ['the global one'])].join(', ');
}

/** Buckets that members of the body add. */
function memberBucketsOf({ member_buckets }: RowFacts): string {
  const added = member_buckets.map(({ member, changed, several, buckets }) => {
    const what = `${changed ? 'a new ' : several ? 'several other ' : ''}\`${member}\``;
    return `${what}: ${buckets.map(bucketText).join(', ')}`;
  });
  return added.length === 0 ? '' : ` And with ${added.join('; with ')}.`;
}

function bucketText({ name, limit, window_seconds, by }: BucketFacts): string {
  return `\`${name}\` (${limit} in ${span(window_seconds)} by ${by.map(inWords).join(' and ')})`;
}

const IN_WORDS: Readonly<Record<string, string>> = {
  ip: 'address',
  subnet: 'subnet',
  email: 'the e-mail sent',
  'login name': 'the e-mail sent',
};

function inWords(part: string): string {
  return IN_WORDS[part] ?? part;
}

/** A window in words. */
export function span(seconds: number): string {
  if (seconds % 3600 === 0) return `${seconds / 3600} h`;
  return seconds % 60 === 0 && seconds > 60 ? `${seconds / 60} min` : `${seconds} s`;
}

function bodyOf(row: Route, { body, body_limit_bytes }: RowFacts, comments: ContractComments): string {
  const size = binarySize(body_limit_bytes ?? 0);
  if (body === 'json') return `a JSON object of at most ${size}, see the table.`;
  if (body === 'optional_json') return `nothing, or a JSON object of at most ${size}, see the table.`;
  const field = typeof row.body === 'object' ? row.body.bytes : '';
  const request = messageSchema(messageName(row, 'Request'));
  const form = formOf(request, field, comments);
  if (form !== undefined) return `a JSON object of at most ${size}: ${link(form)}.`;
  const said = comments.get(`${request.name}.${field}`) ?? '';
  return `at most ${size}. ${said.replaceAll('\n', ' ')}`;
}

function answerOf(row: Route, { status, content_type, text }: RowFacts): string {
  if (content_type !== null) return `${status.join()} \`${text}\` as \`${content_type}\``;
  if (status.includes(302)) return '302 without a body, to the URL in `Location`';
  if (status.every((one) => one === 204)) return '204 without a body';
  const response = messageSchema(messageName(row, 'Response'));
  const field = response.fields.find(({ name }) => name === row.answer);
  const shape = shapeOf(response, field);
  const answer = `200 ${field?.repeated === true ? `array of ${shape}` : shape}`;
  return status.includes(204) ? `${answer}, or 204 without a body` : answer;
}

function shapeOf(response: MessageSchema, field: MessageSchema['fields'][number] | undefined): string {
  if (field?.kind === 'json') return 'an object, as WebAuthn defines it';
  return link(field?.message ?? response);
}

/** The message of a route's responses, if they are JSON. */
export function answerMessage(row: Route): MessageSchema | undefined {
  if (row.reply !== undefined || row.status === 204) return undefined;
  const response = messageSchema(messageName(row, 'Response'));
  const field = response.fields.find(({ name }) => name === row.answer);
  return field?.kind === 'json' ? undefined : (field?.message ?? response);
}

function errorPoint(errors: readonly string[]): string[] {
  if (errors.length === 0) return [];
  return [`Errors: ${errors.map(errorText).join('; ')}.`];
}

function errorText(error: string): string {
  const [, code = '', more = ''] = /^([A-Z_]+)(.*)$/.exec(error) ?? [];
  const status = statusOf(code);
  if (status === undefined) throw new Error(`"${error}" does not begin with the code of an error`);
  return `${status} \`${code}\`${more}`;
}
