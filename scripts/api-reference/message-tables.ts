import { markdownTable } from '@gatehouse/dev-env/markdown-table';
import type { Route } from '@gatehouse/gateway/route';
import { messageName } from '@gatehouse/gateway/service-definitions';
import { type MessageSchema, messageSchema } from '@gatehouse/kit/json';
import type { ContractComments } from './contract-comments.ts';
import { type FieldSchema, formOf, member } from './members.ts';

/** The parameters of a request by location; empty if it has none. */
export function requestTable(row: Route, comments: ContractComments): string {
  const request = messageSchema(messageName(row, 'Request'));
  const headers = Object.fromEntries(Object.entries(row.headers).map(([header, field]) => [field, header]));
  const rows = request.fields.flatMap((field) => {
    const place = placeOf(row, field, headers);
    if (place === undefined) return [];
    const { name, type, meaning } = member(request, field, comments);
    const shown = place === 'header' ? titleCase(headers[field.name] ?? '') : name;
    return [[`\`${shown}\``, place, type, field.required ? 'yes' : '', meaning]];
  });
  return rows.length === 0 ? '' : markdownTable(['Member', 'In', 'Type', 'Required', 'Meaning'], rows);
}

function placeOf(
  row: Route,
  { name, serverOnly }: FieldSchema,
  headers: Record<string, string>,
): string | undefined {
  if (row.params.includes(name)) return 'path';
  if (row.query.includes(name)) return 'query';
  if (name in headers) return 'header';
  return takesMembers(row) && !serverOnly ? 'body' : undefined;
}

export function takesMembers({ body }: Route): boolean {
  return body === 'json' || body === 'optional_json';
}

function titleCase(header: string): string {
  return header.replaceAll(/(^|-)([a-z])/g, (_, dash, letter) => dash + letter.toUpperCase());
}

/** The members of a request object. */
export function inputTable(message: MessageSchema, comments: ContractComments): string {
  const rows = message.fields
    .filter(({ serverOnly }) => !serverOnly)
    .map((field) => {
      const { name, type, meaning } = member(message, field, comments);
      return [`\`${name}\``, type, field.required ? 'yes' : '', meaning];
    });
  return markdownTable(['Member', 'Type', 'Required', 'Meaning'], rows);
}

/** The members of a response object. */
export function answerTable(message: MessageSchema, comments: ContractComments): string {
  const rows = message.fields.map((field) => {
    const { name, type, meaning } = member(message, field, comments);
    return [`\`${name}\``, type, absence(field), meaning];
  });
  return markdownTable(['Member', 'Type', 'Without a value', 'Meaning'], rows);
}

function absence({ optional, omitAbsent }: FieldSchema): string {
  if (omitAbsent) return 'left out';
  return optional ? 'null' : '';
}

/** The messages in the bodies of a route. */
export function inputMessages(row: Route, comments: ContractComments): MessageSchema[] {
  const request = messageSchema(messageName(row, 'Request'));
  if (takesMembers(row)) return request.fields.flatMap(({ message }) => message ?? []);
  return typeof row.body === 'object' ? [formOf(request, row.body.bytes, comments) ?? []].flat() : [];
}
