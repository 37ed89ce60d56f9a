import type { Embed } from '@gatehouse/proto/chat';

/** A webhook of GET /guilds/{guild_id}/webhooks. `url` contains its token: it is a secret. */
export interface Webhook {
  readonly id: string;
  readonly channel_id: string;
  readonly name: string;
  readonly avatar: string | null;
  readonly url: string;
}

/** A channel that can hold webhooks. */
export interface WebhookChannel {
  readonly id: string;
  readonly name: string | null;
  readonly type: number;
}

export const DIALECTS = ['webhook', 'chatcompat', 'codehost', 'statuspage'] as const;
export type Dialect = (typeof DIALECTS)[number];

/** A delivery of GET /webhooks/{webhook_id}/deliveries. */
export interface Delivery {
  readonly id: string;
  readonly timestamp: string;
  readonly dialect: Dialect;
  readonly event?: string;
  readonly outcome: 'posted' | 'nothing' | 'refused' | 'duplicate';
  readonly reason?: string;
  readonly message_id?: string;
  readonly status: number;
  readonly count: number;
  readonly origin: 'sender' | 'retry' | 'test';
  readonly can_be_sent_again: boolean;
}

/** The answer of POST /webhooks/preview. */
export interface Preview {
  readonly outcome: 'posted' | 'nothing' | 'refused';
  readonly reason?: string;
  readonly problems: readonly { readonly path: string; readonly message: string }[];
  readonly content?: string;
  readonly username?: string;
  readonly embeds: readonly Embed[];
}

/** The settings of GET /guilds/{guild_id}/webhook-settings. */
export interface GuildWebhookSettings {
  readonly keep_payloads: boolean;
}

export function settingsPath(guild_id: string): string {
  return `/guilds/${guild_id}/webhook-settings`;
}

/** The type of a category, which has no messages. */
const CATEGORY = 4;

export function channelsForWebhooks(channels: readonly WebhookChannel[]): WebhookChannel[] {
  return channels.filter(({ type }) => type !== CATEGORY);
}

/** The address of a format. */
export function addressOf({ url }: Pick<Webhook, 'url'>, dialect: Dialect): string {
  return dialect === 'webhook' ? url : `${url}/${dialect}`;
}

/** An address with dots in the place of its token, which is the last part of the URL. */
export function maskedAddress(webhook: Pick<Webhook, 'url'>, dialect: Dialect): string {
  const masked = webhook.url.replace(/[^/]+$/, '••••••••');
  return addressOf({ url: masked }, dialect);
}

/** The webhooks whose name or channel contains a text, in any case. */
export function filterWebhooks(
  webhooks: readonly Webhook[],
  nameOf: (channel_id: string) => string,
  text: string,
): readonly Webhook[] {
  const wanted = text.trim().toLocaleLowerCase();
  if (wanted === '') return webhooks;
  return webhooks.filter(({ name, channel_id }) =>
    `${name}\n${nameOf(channel_id)}`.toLocaleLowerCase().includes(wanted),
  );
}
