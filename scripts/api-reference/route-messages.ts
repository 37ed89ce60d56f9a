import type { Route } from '@gatehouse/gateway/route';
import { messageName } from '@gatehouse/gateway/service-definitions';
import { type MessageSchema, messageSchema } from '@gatehouse/kit/json';
import type { ContractComments } from './contract-comments.ts';

export type FieldSchema = MessageSchema['fields'][number];

/** A message's name without its package. */
export function objectTitle(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** Whether members of the body fill fields of the request. */
export function takesMembers({ body }: Route): boolean {
  return body === 'json' || body === 'optional_json';
}

/** The messages in the bodies of a route. */
export function inputMessages(row: Route, comments: ContractComments): MessageSchema[] {
  const request = messageSchema(messageName(row, 'Request'));
  if (takesMembers(row)) return request.fields.flatMap(({ message }) => message ?? []);
  return typeof row.body === 'object' ? [formOf(request, row.body.bytes, comments) ?? []].flat() : [];
}

/** The message that a field of bytes holds as JSON, if its comment says "of the form X". */
export function formOf(
  message: MessageSchema,
  field: string,
  comments: ContractComments,
): MessageSchema | undefined {
  const [, form] = /\bof the form (\w+)/.exec(comments.get(`${message.name}.${field}`) ?? '') ?? [];
  if (form === undefined) return undefined;
  return messageSchema(`${message.name.slice(0, message.name.lastIndexOf('.'))}.${form}`);
}

/** The message of a route's responses, if they are JSON. */
export function answerMessage(row: Route): MessageSchema | undefined {
  if (row.reply !== undefined || row.status === 204) return undefined;
  const response = messageSchema(messageName(row, 'Response'));
  const field = response.fields.find(({ name }) => name === row.answer);
  return field?.kind === 'json' ? undefined : (field?.message ?? response);
}

/** These messages and all that they refer to, in order of first reference. */
export function reachable(messages: Iterable<MessageSchema>): MessageSchema[] {
  const found = new Set<MessageSchema>();
  const visit = (message: MessageSchema): void => {
    if (found.has(message)) return;
    found.add(message);
    for (const field of message.fields) if (field.message !== undefined) visit(shown(field, field.message));
  };
  for (const message of messages) visit(message);
  return [...found];
}

/** A message that only holds a list is shown as that list. */
function shown({ list }: FieldSchema, message: MessageSchema): MessageSchema {
  return list ? (message.fields[0]?.message ?? message) : message;
}
