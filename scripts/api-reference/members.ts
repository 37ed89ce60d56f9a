import { type MessageSchema, messageSchema } from '@gatehouse/kit/json';
import type { ContractComments } from './contract-comments.ts';

export type FieldSchema = MessageSchema['fields'][number];

/** A row of a table of members. */
export interface Member {
  readonly name: string;
  readonly type: string;
  readonly meaning: string;
}

const TYPES: Readonly<Record<FieldSchema['kind'], string>> = {
  string: 'string',
  snowflake: 'ID',
  json: 'object',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
  bytes: 'bytes',
  nullable_string: 'string or null',
  nullable_snowflake: 'ID or null',
  nullable_integer: 'integer or null',
  message: 'object',
};

export function member(message: MessageSchema, field: FieldSchema, comments: ContractComments): Member {
  return {
    name: field.name,
    type: typeOf(field),
    meaning: (comments.get(`${message.name}.${field.name}`) ?? '').replaceAll('\n', ' '),
  };
}

function typeOf(field: FieldSchema): string {
  const [items] = field.list ? (field.message?.fields ?? []) : [];
  if (items !== undefined) return typeOf(items);
  const one = field.message === undefined ? TYPES[field.kind] : link(field.message);
  return field.repeated ? `array of ${one}` : one;
}

/** A link to a message's section. */
export function link({ name }: MessageSchema): string {
  const title = objectTitle(name);
  return `[${title}](#${title.toLowerCase()})`;
}

/** A message's name without its package. */
export function objectTitle(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
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

/** A message that only holds a list is shown as that list. */
function shown({ list }: FieldSchema, message: MessageSchema): MessageSchema {
  return list ? (message.fields[0]?.message ?? message) : message;
}
