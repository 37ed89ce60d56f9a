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
import { PAGE_LIMITS, pageSize } from '../form/page-limits.ts';
import { isInviteCode } from '../invites/invite-code.ts';
import { MAX_EMBEDS_BYTES } from '../messages/embeds.ts';
import { ChannelType, findChannel } from '../store/channels/channels.ts';
import { findInvite } from '../store/invites.ts';
import { accountBytes, guildBytes, guildListBytes } from '../store/stored-bytes.ts';
import type { AnswerSize } from './in-turn.ts';

const KiB = 1024;
/** The longest content with the largest embeds. */
const MESSAGE_BYTES = 16 * KiB + MAX_EMBEDS_BYTES;
/** A member with its user. */
const SHOWN_MEMBER_BYTES = 4 * KiB;
/** An entry may have two topics and a reason. */
const AUDIT_ENTRY_BYTES = 16 * KiB;
/** A message's event has the whole message. */
const EVENT_BYTES = MESSAGE_BYTES;
const STATE_BYTES = 4 * KiB * KiB;
/** A guild that is stored in an event, or whose channels are all changed, is in memory twice: as rows and as JSON. */
const WRITTEN_COPIES = 2;

export const messagesSize: AnswerSize<ListMessagesRequest> = {
  kind: 'page',
  bytesOf: ({ limit }) => pageSize(limit, PAGE_LIMITS.messages) * MESSAGE_BYTES,
};

export const membersSize: AnswerSize<ListMembersRequest> = {
  kind: 'page',
  bytesOf: ({ limit }) => pageSize(limit, PAGE_LIMITS.members) * SHOWN_MEMBER_BYTES,
};

export const auditLogSize: AnswerSize<ListAuditLogRequest> = {
  kind: 'page',
  bytesOf: ({ limit }) => pageSize(limit, PAGE_LIMITS.audit_log) * AUDIT_ENTRY_BYTES,
};

/** A guild has up to 1,000 invites. */
export const invitesSize: AnswerSize<unknown> = { kind: 'page', bytesOf: () => KiB * KiB };

export const privateChannelsSize: AnswerSize<unknown> = {
  kind: 'page',
  bytesOf: (_, account_id, { db }) => accountBytes(db, [account_id].filter(isSnowflake)),
};

export const eventsSize: AnswerSize<GetEventsRequest> = {
  kind: 'guild',
  bytesOf: ({ ids, with_states }) => ids.length * (with_states ? STATE_BYTES : EVENT_BYTES),
};

export const guildListSize: AnswerSize<unknown> = {
  kind: 'guild',
  bytesOf: (_, account_id, { db }) => (isSnowflake(account_id) ? guildListBytes(db, account_id) : 0),
};

export const guildSize: AnswerSize<InGuild> = {
  kind: 'guild',
  bytesOf: ({ guild_id }, _, { db }) => guildBytes(db, [guild_id ?? ''].filter(isSnowflake)),
};

export const guildStatesSize: AnswerSize<GetGuildStatesRequest> = {
  kind: 'guild',
  bytesOf: async ({ guild_ids, account_ids }, _, { db }) =>
    (await guildBytes(db, guild_ids.filter(isSnowflake))) +
    (await accountBytes(db, account_ids.filter(isSnowflake))),
};

export const writtenGuildSize: AnswerSize<InGuild> = {
  kind: 'written_guild',
  bytesOf: async (request, account_id, deps) =>
    WRITTEN_COPIES * (await guildSize.bytesOf(request, account_id, deps)),
};

export const invitedGuildSize: AnswerSize<AcceptInviteRequest> = {
  kind: 'written_guild',
  bytesOf: async ({ code }, account_id, deps) => {
    const invite = isInviteCode(code) ? await findInvite(deps.db, code) : undefined;
    return invite === undefined ? 0 : writtenGuildSize.bytesOf(invite, account_id, deps);
  },
};

/** Deleting a category updates its channels. */
export const deletedChannelSize: AnswerSize<DeleteChannelRequest> = {
  kind: 'written_guild',
  bytesOf: async ({ channel_id }, account_id, deps) => {
    const channel = await findChannel(deps.db, channel_id);
    return channel?.type === ChannelType.CATEGORY ? writtenGuildSize.bytesOf(channel, account_id, deps) : 0;
  },
};

interface InGuild {
  readonly guild_id?: string | null | undefined;
}
