import { type JsonSchema, ref } from '../openapi/json-schema.ts';

/** The messages of the contracts that events show, by the names of their schemas. */
export const CONTRACTS = {
  Channel: 'gatehouse.chat.v1.Channel',
  CurrentUser: 'gatehouse.auth.v1.CurrentUser',
  Guild: 'gatehouse.chat.v1.Guild',
  Member: 'gatehouse.chat.v1.Member',
  Message: 'gatehouse.chat.v1.Message',
  Role: 'gatehouse.chat.v1.Role',
  User: 'gatehouse.auth.v1.User',
} as const;

const id = ref('Snowflake');
const time: JsonSchema = { type: 'string', format: 'date-time' };

/** The payloads that realtime makes itself (services/realtime/src/payloads), by the names of their schemas. */
export const PAYLOADS = {
  Ready: object(
    'The state of a new session.',
    {
      v: { const: 1 },
      user: ref('CurrentUser'),
      session_id: { type: 'string' },
      resume_gateway_url: { type: 'string', description: 'Where to resume.' },
      guilds: {
        type: 'array',
        description:
          'For a user: AvailableGuild. For a bot: UnavailableGuild; each guild follows as GUILD_CREATE.',
        items: { anyOf: [ref('AvailableGuild'), ref('UnavailableGuild')] },
      },
      private_channels: list(ref('Channel')),
    },
    {
      application: object('The application of a bot; users have none.', { id, flags: { const: 0 } }),
      shard: {
        type: 'array',
        description: '`shard` of Identify.',
        items: { type: 'integer' },
        minItems: 2,
        maxItems: 2,
      },
    },
  ),
  AvailableGuild: extended('Guild', 'A guild with what the session can view of it.', {
    channels: { ...list(ref('Channel')), description: 'The channels that the session can view.' },
    members: { ...list(ref('Member')), description: 'At least the member of the session’s account.' },
    joined_at: { ...time, description: 'When the session’s account joined.' },
  }),
  UnavailableGuild: object('A guild of a bot, which follows as GUILD_CREATE.', {
    id,
    unavailable: { const: true },
  }),
  DeletedGuild: object('A guild that was deleted, or that the account has left.', { id }),
  GuildRole: object('A role, and its guild.', { guild_id: id, role: ref('Role') }),
  DeletedRole: object('A role that was deleted.', { guild_id: id, role_id: id }),
  GuildMember: extended('Member', 'A member, and its guild.', { guild_id: id }),
  FormerMember: object('A user who has left a guild.', { guild_id: id, user: ref('User') }),
  HiddenChannel: object('A channel that the session can no longer view.', { id, guild_id: id }),
  ChannelUser: object('A user, and a group DM.', { channel_id: id, user: ref('User') }),
  ReceivedMessage: extended('Message', 'A message, and its guild if it has one.', {}, { guild_id: id }),
  DeletedMessage: object('A message that was deleted.', { id, channel_id: id }, { guild_id: id }),
  ChannelWebhooks: object('A channel whose webhooks have changed.', { guild_id: id, channel_id: id }),
  ChannelInvite: object('An invite of a channel.', {
    code: { type: 'string' },
    channel_id: id,
    guild_id: id,
  }),
} satisfies Readonly<Record<string, JsonSchema>>;

export function object(
  description: string,
  required: Readonly<Record<string, JsonSchema>>,
  optional: Readonly<Record<string, JsonSchema>> = {},
): JsonSchema {
  return { type: 'object', description, ...members(required, optional) };
}

/** A message of a contract with further members. */
function extended(
  name: keyof typeof CONTRACTS,
  description: string,
  required: Readonly<Record<string, JsonSchema>>,
  optional: Readonly<Record<string, JsonSchema>> = {},
): JsonSchema {
  return { description, allOf: [ref(name), { type: 'object', ...members(required, optional) }] };
}

function members(
  required: Readonly<Record<string, JsonSchema>>,
  optional: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  const names = Object.keys(required);
  return { ...(names.length > 0 && { required: names }), properties: { ...required, ...optional } };
}

function list(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}
