import { readFileSync } from 'node:fs';
import { markdownTable } from '@gatehouse/dev-env/markdown-table';
import type { Route } from '@gatehouse/gateway/route';
import type { ServiceName } from '@gatehouse/gateway/service-definitions';
import type { MessageSchema } from '@gatehouse/kit/json';
import { type ContractComments, readContractComments } from './contract-comments.ts';
import { objectTitle, reachable } from './members.ts';
import { answerTable, inputMessages, inputTable } from './message-tables.ts';
import { answerMessage, routeSection, summary } from './route-section.ts';

const AREAS: Readonly<Record<ServiceName, string>> = {
  auth: 'Accounts and sessions',
  oauth2: 'Applications',
  chat: 'Guilds, channels and messages',
  webhook_delivery: 'Webhooks',
  ratelimit: 'Limits',
  media: 'Pictures',
};

/** The reference of the HTTP API for these routes, in Markdown. */
export function apiReference(rows: readonly Route[]): string {
  const comments = readContractComments();
  const conventions = readFileSync(new URL('conventions.md', import.meta.url), 'utf8');
  const areas = Object.entries(AREAS).flatMap(([service, title]) => {
    const own = rows.filter((row) => row.service === service);
    return own.length === 0 ? [] : [`## ${title}\n`, ...own.map((row) => routeSection(row, comments))];
  });
  return [
    conventions,
    '## Routes\n',
    overview(rows, comments),
    ...areas,
    ...objects('Request objects', inputs(rows, comments), comments, inputTable),
    ...objects('Response objects', answers(rows), comments, answerTable),
  ].join('\n');
}

function overview(rows: readonly Route[], comments: ContractComments): string {
  const lines = rows.map((row) => {
    const title = `${row.verb} ${row.path}`;
    const anchor = title
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-');
    return [`[${title}](#${anchor})`, summary(row, comments).split(/(?<=\.) /)[0] ?? ''];
  });
  return markdownTable(['Route', 'What it does'], lines);
}

function inputs(rows: readonly Route[], comments: ContractComments): MessageSchema[] {
  return reachable(rows.flatMap((row) => inputMessages(row, comments)));
}

function answers(rows: readonly Route[]): MessageSchema[] {
  return reachable(rows.flatMap((row) => answerMessage(row) ?? []));
}

function objects(
  title: string,
  messages: readonly MessageSchema[],
  comments: ContractComments,
  table: (message: MessageSchema, comments: ContractComments) => string,
): string[] {
  const sections = messages.map((message) => {
    const said = comments.get(message.name)?.replaceAll('\n', ' ') ?? '';
    const members = message.fields.length === 0 ? 'It has no members.\n' : table(message, comments);
    return `### ${objectTitle(message.name)}\n\n${said}\n\n${members}`;
  });
  return [`## ${title}\n`, ...sections];
}
