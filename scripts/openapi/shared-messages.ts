import type { Route } from '@gatehouse/gateway/route';
import { messageName } from '@gatehouse/gateway/service-definitions';
import { type MessageSchema, messageSchema } from '@gatehouse/kit/json';
import type { ContractComments } from '../api-reference/contract-comments.ts';
import { answerMessage, inputMessages, reachable } from '../api-reference/route-messages.ts';

/** The names of messages that occur in requests and in responses. */
export function sharedMessages(rows: readonly Route[], comments: ContractComments): ReadonlySet<string> {
  const inputs = namesOf(rows.flatMap((row) => [request(row), ...inputMessages(row, comments)]));
  const outputs = namesOf(rows.flatMap((row) => answerMessage(row) ?? []));
  return new Set([...inputs].filter((name) => outputs.has(name)));
}

function request(row: Route): MessageSchema {
  return messageSchema(messageName(row, 'Request'));
}

function namesOf(messages: readonly MessageSchema[]): ReadonlySet<string> {
  return new Set(reachable(messages).map(({ name }) => name));
}
