import { exactJsonWriter } from '@gatehouse/kit/json';

/** The same JSON as the edge's answers. */
export const writeUser = exactJsonWriter('gatehouse.auth.v1.User');
export const writeCurrentUser = exactJsonWriter('gatehouse.auth.v1.CurrentUser');
export const writeGuild = exactJsonWriter('gatehouse.chat.v1.Guild');
export const writeRole = exactJsonWriter('gatehouse.chat.v1.Role');
export const writeChannel = exactJsonWriter('gatehouse.chat.v1.Channel');
export const writeMember = exactJsonWriter('gatehouse.chat.v1.Member');
export const writeMessage = exactJsonWriter('gatehouse.chat.v1.Message');

/**
 * Adds members, whose values are JSON text, to the end of a JSON object.
 *
 * @param text an object that is not empty
 */
export function extend(text: string, members: Readonly<Record<string, string>>): string {
  const more = Object.entries(members).map(([name, value]) => `,"${name}":${value}`);
  return `${text.slice(0, -1)}${more.join('')}}`;
}

export function arrayText(items: readonly string[]): string {
  return `[${items.join(',')}]`;
}
