import type { CallOptions } from '../call-options.ts';
import type { GatehouseClient } from '../client.ts';
import type { paths } from '../generated/api.ts';
import { itemsOf } from './pages.ts';

type Body<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } };
}
  ? Body
  : never;

export type Message = Body<'/channels/{channel_id}/messages'>[number];
export type Member = Body<'/guilds/{guild_id}/members'>[number];
export type AuditLogEntry = Body<'/guilds/{guild_id}/audit-logs'>['audit_log_entries'][number];

export interface ListOptions extends CallOptions {
  /** How many items each request fetches; the most that the API allows by default. */
  readonly pageSize?: number | undefined;
}

export interface MessageRange {
  readonly before?: string | undefined;
  /** Without `before`. */
  readonly after?: string | undefined;
}

export interface AuditLogFilter {
  readonly before?: string | undefined;
  /** Only changes by this account. */
  readonly userId?: string | undefined;
  /** Only changes of this kind. */
  readonly actionType?: number | undefined;
}

/** The messages of a channel, newest first; with `after`, those after that message, oldest first. @throws TypeError */
export function listMessages(
  client: GatehouseClient,
  channel_id: string,
  options: ListOptions & MessageRange = {},
): AsyncGenerator<Message, void> {
  const { before, after, pageSize = 100, ...call } = options;
  if (before !== undefined && after !== undefined) throw new TypeError('before or after, not both');
  const ascending = after !== undefined;
  const fetch = async (id: string | undefined) => {
    const query = {
      limit: pageSize,
      ...(id === undefined ? {} : ascending ? { after: id } : { before: id }),
    };
    const params = { path: { channel_id }, query };
    const { data } = await client.GET('/channels/{channel_id}/messages', { ...call, params });
    return ascending ? data.toReversed() : data;
  };
  return itemsOf({ fetch, idOf: ({ id }) => id, pageSize, ascending }, before ?? after);
}

/** The members of a guild, by their IDs. */
export function listMembers(
  client: GatehouseClient,
  guild_id: string,
  options: ListOptions & { readonly after?: string | undefined } = {},
): AsyncGenerator<Member, void> {
  const { after: start, pageSize = 1000, ...call } = options;
  const fetch = async (after: string | undefined) => {
    const params = {
      path: { guild_id },
      query: { limit: pageSize, ...(after === undefined ? {} : { after }) },
    };
    return (await client.GET('/guilds/{guild_id}/members', { ...call, params })).data;
  };
  return itemsOf({ fetch, idOf: ({ user }) => user.id, pageSize, ascending: true }, start);
}

/** The audit log of a guild, newest first. */
export function listAuditLog(
  client: GatehouseClient,
  guild_id: string,
  options: ListOptions & AuditLogFilter = {},
): AsyncGenerator<AuditLogEntry, void> {
  const { before: start, userId, actionType, pageSize = 100, ...call } = options;
  const filter = {
    limit: pageSize,
    ...(userId === undefined ? {} : { user_id: userId }),
    ...(actionType === undefined ? {} : { action_type: actionType }),
  };
  const fetch = async (before: string | undefined) => {
    const params = { path: { guild_id }, query: { ...filter, ...(before === undefined ? {} : { before }) } };
    return (await client.GET('/guilds/{guild_id}/audit-logs', { ...call, params })).data.audit_log_entries;
  };
  return itemsOf({ fetch, idOf: ({ id }) => id, pageSize, ascending: false }, start);
}
