import { isSnowflake } from '@gatehouse/kit/snowflake';
import type {
  AcceptInviteRequest,
  DeleteChannelRequest,
  GetEventsRequest,
  GetGuildStatesRequest,
  ListAuditLogRequest,
  ListMembersRequest,
  ListMessagesRequest,
} from '@gatehouse/proto/chat';
import { isInviteCode } from '../invites/code.ts';
import { MAX_EMBEDS_BYTES } from '../messages/embeds.ts';
import { ChannelType, readChannel } from '../store/channels/channels.ts';
import { readInvite } from '../store/invites.ts';
import { accountBytes, guildBytes, guildListBytes } from '../store/stored-bytes.ts';
import type { AnswerBytes } from './in-turn.ts';

const KiB = 1024;
/** The longest content and the largest embeds. */
const MESSAGE_BYTES = 16 * KiB + MAX_EMBEDS_BYTES;
const MEMBER_BYTES = 4 * KiB;
/** Two topics and a reason. */
const AUDIT_ENTRY_BYTES = 16 * KiB;
/** A message's event has the whole message. */
const EVENT_BYTES = MESSAGE_BYTES;
const STATE_BYTES = 4 * KiB * KiB;
/** A change of all channels, or a guild in an event, is read, written as JSON, and sent to the database. */
const WRITTEN_TIMES = 2;

const counted = (wanted: number | null | undefined, usual: number, most: number): number =>
  Math.min(Math.max(wanted ?? usual, 0), most);

export const ofMessages: AnswerBytes<ListMessagesRequest> = {
  kind: 'page',
  bytesOf: ({ limit }) => counted(limit, 50, 100) * MESSAGE_BYTES,
};

export const ofMembers: AnswerBytes<ListMembersRequest> = {
  kind: 'page',
  bytesOf: ({ limit }) => counted(limit, 100, 1_000) * MEMBER_BYTES,
};

export const ofAuditLog: AnswerBytes<ListAuditLogRequest> = {
  kind: 'page',
  bytesOf: ({ limit }) => counted(limit, 50, 100) * AUDIT_ENTRY_BYTES,
};

/** A guild has up to 1,000 invites. */
export const ofInvites: AnswerBytes<unknown> = { kind: 'page', bytesOf: () => KiB * KiB };

export const ofPrivateChannels: AnswerBytes<unknown> = {
  kind: 'page',
  bytesOf: (_, account_id, { db }) => accountBytes(db, known([account_id])),
};

export const ofEvents: AnswerBytes<GetEventsRequest> = {
  kind: 'guild',
  bytesOf: ({ ids, with_states }) => ids.length * (with_states ? STATE_BYTES : EVENT_BYTES),
};

export const ofGuilds: AnswerBytes<unknown> = {
  kind: 'guild',
  bytesOf: (_, account_id, { db }) => (isSnowflake(account_id) ? guildListBytes(db, account_id) : 0),
};

export const ofGuild: AnswerBytes<InGuild> = {
  kind: 'guild',
  bytesOf: ({ guild_id }, _, { db }) => guildBytes(db, known([guild_id ?? ''])),
};

export const ofGuildStates: AnswerBytes<GetGuildStatesRequest> = {
  kind: 'guild',
  bytesOf: async ({ guild_ids, account_ids }, _, { db }) =>
    (await guildBytes(db, known(guild_ids))) + (await accountBytes(db, known(account_ids))),
};

export const ofWrittenGuild: AnswerBytes<InGuild> = {
  kind: 'written_guild',
  bytesOf: async (request, account_id, deps) =>
    WRITTEN_TIMES * (await ofGuild.bytesOf(request, account_id, deps)),
};

export const ofInvitedGuild: AnswerBytes<AcceptInviteRequest> = {
  kind: 'written_guild',
  bytesOf: async ({ code }, account_id, deps) => {
    const invite = isInviteCode(code) ? await readInvite(deps.db, code) : undefined;
    return invite === undefined ? 0 : ofWrittenGuild.bytesOf(invite, account_id, deps);
  },
};

/** Updates the channels of a category too. */
export const ofDeletedChannel: AnswerBytes<DeleteChannelRequest> = {
  kind: 'written_guild',
  bytesOf: async ({ channel_id }, account_id, deps) => {
    const channel = await readChannel(deps.db, channel_id);
    return channel?.type === ChannelType.CATEGORY ? ofWrittenGuild.bytesOf(channel, account_id, deps) : 0;
  },
};

interface InGuild {
  readonly guild_id?: string | null | undefined;
}

/** An ID that is not a snowflake matches nothing. */
function known(ids: readonly string[]): string[] {
  return ids.filter(isSnowflake);
}
