import type { User } from '@gatehouse/proto/auth';
import type { Role } from '@gatehouse/proto/chat';
import { type Dispatch, dispatchOf } from '../connections/dispatch.ts';
import { channelHidden, channelShown } from '../payloads/channel-payload.ts';
import {
  accountsShown,
  eventPayload,
  eventPayloadFor,
  isPersonal,
  isReplayable,
  type Payload,
} from '../payloads/event-payload.ts';
import { guildPayload } from '../payloads/guild-payload.ts';
import type { Delivery } from '../world/delivery.ts';
import type { LogEvent } from '../world/event.ts';
import { rolesOf, type World } from '../world/world.ts';
import type { FollowedAccount } from '../world/world-state.ts';
import type { EventReceiver, SessionEvent } from './event-receiver.ts';
import { shownGuild } from './shown-guild.ts';

type Users = ReadonlyMap<string, User>;

/** The accounts whose public users are shown by what an event has sessions told. */
export function accountsOf(event: LogEvent): readonly string[] {
  return event.type === 'GUILD_CREATE' ? event.account_ids : accountsShown(event);
}

export interface DeliveryContext {
  readonly world: World<EventReceiver>;
  /** Those of accountsOf that exist. */
  readonly users: Users;
  /** Whether no other event is told in this turn of the event loop. */
  readonly is_alone: boolean;
}

/** Applies an event to the world, and tells the sessions that it concerns. */
export function deliver(event: LogEvent, around: DeliveryContext): void {
  const deliveries = around.world.apply(event);
  const is_alone = around.is_alone && deliveries.length === 1;
  for (const delivery of deliveries) tellAll(event, delivery, { ...around, is_alone });
}

function tellAll(
  event: LogEvent,
  { accounts, told }: Delivery<EventReceiver>,
  { world, users, is_alone }: DeliveryContext,
): void {
  switch (told.kind) {
    case 'event':
      if (isPersonal(event))
        for (const account of accounts)
          tell([account], replayable(event, eventPayloadFor(event, account.id, users)));
      else {
        const payload = eventPayload(event, users, rolesAfter(world, event));
        tell(accounts, replayable(event, payload, is_alone));
      }
      return;
    case 'guild_created':
      for (const account of accounts) {
        const shown = shownGuild(told.guild, account.id);
        if (shown !== undefined)
          tell([account], asSent(event, { t: 'GUILD_CREATE', d: guildPayload(shown, users) }));
      }
      return;
    case 'channel_shown':
      tell(accounts, asSent(event, channelShown(told.channel)));
      return;
    case 'channel_hidden':
      tell(accounts, asSent(event, channelHidden({ id: told.channel_id, guild_id: told.guild_id })));
      return;
  }
}

/** What a GUILD_UPDATE shows besides. */
function rolesAfter(world: World<EventReceiver>, { type, guild_id }: LogEvent): readonly Role[] {
  const guild = type === 'GUILD_UPDATE' && guild_id !== undefined ? world.guild(guild_id) : undefined;
  return guild === undefined ? [] : rolesOf(guild);
}

function tell(accounts: readonly FollowedAccount<EventReceiver>[], told: SessionEvent | undefined): void {
  if (told === undefined) return;
  for (const { sessions } of accounts) for (const session of sessions) session.tell(told);
}

function replayable(
  event: LogEvent,
  payload: Payload | undefined,
  is_alone = false,
): SessionEvent | undefined {
  if (payload === undefined) return undefined;
  if (!isReplayable(event)) return asSent(event, payload);
  const dispatch = dispatchOf(payload.t, payload.d, is_alone);
  return { position: Number(event.id), dispatch, xact_id: event.xact_id };
}

function asSent({ xact_id }: LogEvent, { t, d }: Payload): SessionEvent {
  const dispatch: Dispatch = dispatchOf(t, d);
  return { position: dispatch, dispatch, xact_id };
}
