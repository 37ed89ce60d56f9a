import { ALL_PERMISSIONS, Permission } from '@gatehouse/chat-client/permissions';
import type { as } from '../../support/requests.ts';
import type { ChatClient } from '../../support/start-chat.ts';

export interface RandomGuild {
  owner: string;
  channels: string[];
  categories: string[];
  roles: string[];
  code?: string;
}

export interface PostedMessage {
  readonly author: string;
  readonly channel_id: string;
  readonly message_id: string;
}

/** The objects of the world, and those that were chosen at random for one step. */
export interface Scene {
  readonly people: readonly string[];
  readonly guilds: Map<string, RandomGuild>;
  readonly groups: string[];
  readonly messages: PostedMessage[];
  readonly createGuild: () => Promise<void>;
  readonly newAccount: () => string;
  readonly chat: ChatClient;
  readonly guild_id: string;
  readonly guild: RandomGuild;
  readonly owner: string;
  /** Call options of the owner. */
  readonly by: ReturnType<typeof as>;
  readonly person: string;
  readonly channel_id: string;
  readonly role_id: string;
  readonly old: PostedMessage | undefined;
  /** A group DM. */
  readonly group: string;
}

/** The possible steps with their weights. */
export type Steps = Record<string, [weight: number, run: () => Promise<unknown>]>;

export const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)] as T;
export const chance = (of: number): boolean => Math.random() < of;

const { VIEW_CHANNEL, SEND_MESSAGES } = Permission;

export const randomPermissions = (): string =>
  String(BigInt(Math.floor(Math.random() * 2 ** 30)) & ALL_PERMISSIONS);

/** Allows or denies to view a channel. */
export const randomView = () =>
  chance(0.5) ? { allow: String(VIEW_CHANNEL) } : { deny: String(VIEW_CHANNEL | SEND_MESSAGES) };
