import type { Permission } from './permission-bits.ts';

/** Values for the placeholders in a route's path. */
export interface Ids {
  guild_id: string;
  channel_id: string;
  /** A group DM. */
  group_id: string;
  role_id: string;
  overwrite_id: string;
  user_id: string;
  message_id: string;
  code: string;
}

export interface Row {
  /** Method and path; an optional body is JSON. */
  route: string;
  body?: object;
  status: 200 | 204;
  /** Default: users and bots. */
  who?: 'user' | 'public';
  scope?: 'guilds' | 'connections';
  /** The required permission besides VIEW_CHANNEL, whose absence is another error. */
  needs?: Permission;
}

/** The routes of docs/guilds.md, in an order in which a guild's owner can call all of them. */
export const ROUTES: Row[] = [
  { route: 'GET /users/@me/guilds', status: 200, scope: 'guilds' },
  { route: 'POST /guilds', body: { name: 'Another' }, status: 200 },
  { route: 'GET /guilds/{guild_id}', status: 200, scope: 'guilds' },
  { route: 'PATCH /guilds/{guild_id}', body: { name: 'New' }, status: 200, needs: 'MANAGE_GUILD' },
  { route: 'GET /guilds/{guild_id}/channels', status: 200 },
  {
    route: 'POST /guilds/{guild_id}/channels',
    body: { name: 'new', type: 0 },
    status: 200,
    needs: 'MANAGE_CHANNELS',
  },
  {
    route: 'PATCH /guilds/{guild_id}/channels',
    body: { positions: [] },
    status: 204,
    needs: 'MANAGE_CHANNELS',
  },
  { route: 'GET /channels/{channel_id}', status: 200 },
  { route: 'PATCH /channels/{channel_id}', body: { name: 'new' }, status: 200, needs: 'MANAGE_CHANNELS' },
  {
    route: 'PUT /channels/{channel_id}/permissions/{overwrite_id}',
    body: { type: 0, allow: '0', deny: '2048' },
    status: 204,
    needs: 'MANAGE_ROLES',
  },
  {
    route: 'DELETE /channels/{channel_id}/permissions/{overwrite_id}',
    status: 204,
    needs: 'MANAGE_ROLES',
  },
  { route: 'GET /channels/{channel_id}/slowmode', status: 200 },
  { route: 'GET /guilds/{guild_id}/roles', status: 200, scope: 'guilds' },
  { route: 'POST /guilds/{guild_id}/roles', body: { name: 'new' }, status: 200, needs: 'MANAGE_ROLES' },
  { route: 'PATCH /guilds/{guild_id}/roles', body: { positions: [] }, status: 204, needs: 'MANAGE_ROLES' },
  {
    route: 'PATCH /guilds/{guild_id}/roles/{role_id}',
    body: { name: 'new' },
    status: 200,
    needs: 'MANAGE_ROLES',
  },
  { route: 'GET /guilds/{guild_id}/members', status: 200 },
  { route: 'GET /guilds/{guild_id}/members/{user_id}', status: 200 },
  {
    route: 'PATCH /guilds/{guild_id}/members/@me',
    body: { nick: 'new' },
    status: 200,
    needs: 'CHANGE_NICKNAME',
  },
  {
    route: 'PUT /guilds/{guild_id}/members/{user_id}/roles/{role_id}',
    status: 204,
    needs: 'MANAGE_ROLES',
  },
  {
    route: 'DELETE /guilds/{guild_id}/members/{user_id}/roles/{role_id}',
    status: 204,
    needs: 'MANAGE_ROLES',
  },
  { route: 'GET /channels/{channel_id}/invites', status: 200, needs: 'MANAGE_CHANNELS' },
  { route: 'POST /channels/{channel_id}/invites', body: {}, status: 200, needs: 'CREATE_INSTANT_INVITE' },
  { route: 'GET /invites/{code}', status: 200, who: 'public' },
  { route: 'POST /invites/{code}', status: 200, who: 'user' },
  { route: 'GET /users/@me/channels', status: 200 },
  {
    route: 'POST /channels/{channel_id}/messages',
    body: { content: 'x' },
    status: 200,
    needs: 'SEND_MESSAGES',
  },
  { route: 'GET /channels/{channel_id}/messages', status: 200, needs: 'READ_MESSAGE_HISTORY' },
  { route: 'GET /channels/{channel_id}/messages/{message_id}', status: 200, needs: 'READ_MESSAGE_HISTORY' },
  { route: 'PATCH /channels/{channel_id}/messages/{message_id}', body: { content: 'y' }, status: 200 },
  { route: 'GET /guilds/{guild_id}/audit-logs', status: 200, needs: 'VIEW_AUDIT_LOG' },
  { route: 'GET /users/@me/connections', status: 200, who: 'user', scope: 'connections' },
  { route: 'DELETE /channels/{channel_id}/messages/{message_id}', status: 204, needs: 'MANAGE_MESSAGES' },
  { route: 'PUT /channels/{group_id}/recipients/{user_id}', status: 204 },
  { route: 'DELETE /channels/{group_id}/recipients/{user_id}', status: 204 },
  { route: 'DELETE /guilds/{guild_id}/members/{user_id}', status: 204, needs: 'KICK_MEMBERS' },
  { route: 'DELETE /invites/{code}', status: 204, who: 'user' },
  { route: 'DELETE /guilds/{guild_id}/roles/{role_id}', status: 204, needs: 'MANAGE_ROLES' },
  { route: 'DELETE /channels/{channel_id}', status: 204, needs: 'MANAGE_CHANNELS' },
  { route: 'DELETE /guilds/{guild_id}', status: 204 },
];

/** Routes that the owner cannot call in that sequence. */
export const OF_OTHERS: Row[] = [
  { route: 'DELETE /users/@me/guilds/{guild_id}', status: 204 },
  { route: 'POST /users/@me/channels', body: { recipients: ['1'] }, status: 200 },
];

/** The placeholders of a row, each with the error code for an unknown ID. */
export function absences(row: Row): [keyof Ids, string][] {
  return placeholders(row).flatMap((name): [keyof Ids, string][] => {
    const code = ABSENT[name];
    if (code === undefined) return [];
    return name === 'user_id' && row.route.includes('/recipients/')
      ? [[name, 'UNKNOWN_USER']]
      : [[name, code]];
  });
}

const ABSENT: Partial<Record<keyof Ids, string>> = {
  guild_id: 'NOT_FOUND',
  channel_id: 'NOT_FOUND',
  group_id: 'NOT_FOUND',
  role_id: 'UNKNOWN_ROLE',
  user_id: 'UNKNOWN_MEMBER',
  message_id: 'UNKNOWN_MESSAGE',
  code: 'UNKNOWN_INVITE',
};

export function placeholders({ route }: Row): (keyof Ids)[] {
  return [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as keyof Ids);
}

/** Method and path of a row with these IDs. */
export function fill({ route }: Row, ids: Ids): [method: string, path: string] {
  const [method = '', path = ''] = route.split(' ');
  return [method, path.replace(/\{(\w+)\}/g, (_, name: keyof Ids) => ids[name])];
}
