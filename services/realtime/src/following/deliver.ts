import type { User } from '@gatehouse/proto/auth';
import type { Role } from '@gatehouse/proto/chat';
import { dispatchOf } from '../connections/dispatch.ts';
import { channelHidden, channelShown } from '../payloads/channel-payload.ts';
import {
  eventPayload,
  eventPayloadFor,
  isPersonal,
  isReplayable,
  type Payload,
  usersShown,
} from '../payloads/event-payload.ts';
import { guildPayload } from '../payloads/guild-payload.ts';
import type { Delivery } from '../world/delivery.ts';
import type { LogEvent } from '../world/event.ts';
import { rolesOf, type World } from '../world/world.ts';
import type { FollowedAccount } from '../world/world-state.ts';
import type { EventReceiver, SessionEvent } from './event-receiver.ts';
import { visibleGuild } from './visible-guild.ts';

/** The accounts whose public users an event's deliveries show. */
export function usersToFetch(event: LogEvent): readonly string[] {
  return event.type === 'GUILD_CREATE' ? event.account_ids : usersShown(event);
}

export interface DeliveryContext {
  readonly world: World<EventReceiver>;
  /** Those of `usersToFetch` that exist. */
  readonly users: ReadonlyMap<string, User>;
  /** Whether no other event is delivered in this turn of the event loop. */
  readonly isOnlyEvent: boolean;
}

/** Applies an event to the world, and sends it to the sessions that it concerns. */
export function deliver(event: LogEvent, context: DeliveryContext): void {
  const deliveries = context.world.apply(event);
  const isOnlyEvent = context.isOnlyEvent && deliveries.length === 1;
  for (const delivery of deliveries) deliverOne(event, delivery, { ...context, isOnlyEvent });
}

function deliverOne(
  event: LogEvent,
  { accounts, kind }: Delivery<EventReceiver>,
  { world, users, isOnlyEvent }: DeliveryContext,
): void {
  switch (kind.type) {
    case 'event':
      if (isPersonal(event))
        for (const account of accounts)
          send([account], replayable(event, eventPayloadFor(event, account.id, users)));
      else
        send(accounts, replayable(event, eventPayload(event, users, rolesAfter(world, event)), isOnlyEvent));
      return;
    case 'guild_created':
      for (const account of accounts) {
        const visible = visibleGuild(kind.guild, account.id);
        if (visible !== undefined)
          send([account], kept(event, { t: 'GUILD_CREATE', d: guildPayload(visible, users) }));
      }
      return;
    case 'channel_shown':
      send(accounts, kept(event, channelShown(kind.channel)));
      return;
    case 'channel_hidden':
      send(accounts, kept(event, channelHidden({ id: kind.channel_id, guild_id: kind.guild_id })));
      return;
  }
}

/** The roles that GUILD_UPDATE shows. */
function rolesAfter(world: World<EventReceiver>, { type, guild_id }: LogEvent): readonly Role[] {
  const guild = type === 'GUILD_UPDATE' && guild_id !== undefined ? world.guild(guild_id) : undefined;
  return guild === undefined ? [] : rolesOf(guild);
}

function send(accounts: readonly FollowedAccount<EventReceiver>[], event: SessionEvent | undefined): void {
  if (event === undefined) return;
  for (const { sessions } of accounts) for (const session of sessions) session.receive(event);
}

function replayable(
  event: LogEvent,
  payload: Payload | undefined,
  isOnlyEvent = false,
): SessionEvent | undefined {
  if (payload === undefined) return undefined;
  if (!isReplayable(event)) return kept(event, payload);
  const dispatch = dispatchOf(payload.t, payload.d, isOnlyEvent);
  return { entry: Number(event.id), dispatch, xact_id: event.xact_id };
}

/** An event that the log cannot reproduce: a session keeps its bytes. */
function kept({ xact_id }: LogEvent, { t, d }: Payload): SessionEvent {
  const dispatch = dispatchOf(t, d);
  return { entry: dispatch, dispatch, xact_id };
}
