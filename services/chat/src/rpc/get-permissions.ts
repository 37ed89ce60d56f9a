import {
  channelPermissions,
  guildPermissions,
  PRIVATE_PERMISSIONS,
} from '@gatehouse/chat-client/permissions';
import { Form } from '@gatehouse/kit/form';
import type { Handler } from '@gatehouse/kit/rpc';
import type {
  GetPermissionsRequest,
  GetPermissionsResponse,
  PermissionsAnswer,
  PermissionsQuery,
} from '@gatehouse/proto/chat';
import type { Deps } from '../deps.ts';
import { badRequest } from '../errors.ts';
import { readId } from '../form/fields.ts';
import {
  type PermissionFacts,
  type PermissionQuery,
  readPermissionFacts,
} from '../store/permission-queries.ts';

const MAX_QUERIES = 1000;

export function getPermissions({ db }: Deps): Handler<GetPermissionsRequest, GetPermissionsResponse> {
  return async ({ queries }) => {
    if (queries.length > MAX_QUERIES)
      throw badRequest(`At most ${MAX_QUERIES} queries are answered at once.`);
    const form = new Form();
    const read = queries.map((query, index) => readQuery(form, `queries.${index}`, query));
    form.check();
    return { answers: (await readPermissionFacts(db, read)).map(answer) };
  };
}

function readQuery(form: Form, path: string, query: PermissionsQuery): PermissionQuery {
  const { account_id, guild_id = null, channel_id = null } = query;
  if ((guild_id === null) === (channel_id === null))
    throw badRequest('A query must name a guild or a channel, and not both.');
  for (const [name, id] of Object.entries({ account_id, guild_id, channel_id })) {
    readId(form, `${path}.${name}`, id);
  }
  return { account_id, guild_id, channel_id };
}

function answer(facts: PermissionFacts): PermissionsAnswer {
  const { exists, guild_id, channel_type, is_recipient, membership } = facts;
  return {
    exists,
    guild_id,
    channel_type,
    is_member: membership === null ? is_recipient : membership.is_member,
    permissions: String(permissionsOf(facts)),
  };
}

function permissionsOf({ channel_type, is_recipient, membership, overwrites }: PermissionFacts): bigint {
  if (membership === null) return is_recipient ? PRIVATE_PERMISSIONS : 0n;
  return channel_type === null ? guildPermissions(membership) : channelPermissions(membership, overwrites);
}
