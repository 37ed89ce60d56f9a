import type { CurrentUser, User } from '@gatehouse/proto/auth';
import type { Channel, Guild, Message } from '@gatehouse/proto/chat';
import type { TokenWebhook } from '@gatehouse/proto/webhook-delivery';

/** The peers' usual answers. */

export const user: User = {
  id: '1001',
  username: 'ann',
  discriminator: '0',
  global_name: null,
  avatar: null,
  bot: false,
};

export const currentUser: CurrentUser = {
  ...user,
  email: 'ann@example.com',
  verified: true,
  bio: null,
  pronouns: null,
  accent_color: null,
  banner: null,
  mfa_enabled: false,
  authenticator_types: [],
  password_last_changed_at: null,
  premium_type: 0,
  flags: 0,
  locale: null,
};

/** The answer to every finished login. */
export const session = { token: `gth_${'New1'.repeat(9)}`, user_id: '1001', user: currentUser };

/** Of a WebAuthn ceremony, as JSON. */
export const options = JSON.stringify({ challenge: 'Y2hhbGxlbmdl', timeout: 300_000 });

export const guild: Guild = {
  id: '11',
  name: 'a guild',
  icon: null,
  owner_id: '1001',
  features: [],
  roles: [],
  member_count: 1,
};

export const channel: Channel = {
  id: '21',
  guild_id: '11',
  type: 0,
  name: 'general',
  topic: null,
  position: 0,
  parent_id: null,
  rate_limit_per_user: 0,
  permission_overwrites: [],
  last_message_id: null,
  recipients: [],
};

export const message: Message = {
  id: '31',
  channel_id: '21',
  author: user,
  webhook_id: null,
  type: 0,
  flags: 0,
  content: 'hello',
  timestamp: '2026-01-02T03:04:05.678Z',
  edited_timestamp: null,
  pinned: false,
  mention_everyone: false,
  tts: false,
  mentions: [],
  mention_roles: [],
  embeds: [],
  attachments: [],
  nonce: null,
};

export const webhook: TokenWebhook = {
  id: '41',
  guild_id: '11',
  channel_id: '21',
  name: 'a webhook',
  avatar: null,
  token: 'a-webhook-token',
  type: 1,
  application_id: null,
  url: 'https://api.test/api/v1/webhooks/41/a-webhook-token',
};
