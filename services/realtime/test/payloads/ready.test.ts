import { describe, expect, it } from 'vitest';
import { channelHidden, channelShown, privateChannel } from '../../src/payloads/channel-payload.ts';
import { guildPayload, type VisibleGuild } from '../../src/payloads/guild-payload.ts';
import { readyPayload, unavailableGuild } from '../../src/payloads/ready.ts';
import {
  ann,
  annInGuild,
  bob,
  bobInGuild,
  current,
  editors,
  everyone,
  general,
  guild,
  lunch,
  users,
} from './samples.ts';

const shown: VisibleGuild = {
  row: guild,
  roles: [editors, everyone],
  channels: [
    { ...general, id: '100', position: 1 },
    { ...general, id: '99', position: 1 },
    { ...general, id: '101', position: 0 },
  ],
  members: [bobInGuild, { ...annInGuild, joined_at: '2026-01-01T00:00:00.000Z' }],
};

describe('a guild in READY', () => {
  const parsed = JSON.parse(guildPayload(shown, users));

  it('has roles and channels by position, then by ID', () => {
    expect(parsed).toMatchObject({ ...guild, roles: [everyone, editors] });
    expect(parsed.channels.map(({ id }: { id: string }) => id)).toEqual(['101', '99', '100']);
    expect(parsed.channels[0]).toMatchObject({ guild_id: '11', permission_overwrites: [{ id: '11' }] });
  });

  it("has members with their users, and the own member's joined_at", () => {
    expect(parsed.members.map(({ user }: { user: unknown }) => user)).toEqual([bob, ann]);
    expect(parsed.joined_at).toBe(bobInGuild.joined_at);
  });

  it('may have no channel that the account can view', () => {
    expect(JSON.parse(guildPayload({ ...shown, channels: [] }, users)).channels).toEqual([]);
  });
});

describe('a channel whose view changed', () => {
  it('is sent as created or deleted', () => {
    const { t, d } = channelShown(general);
    expect([t, JSON.parse(d)]).toEqual([
      'CHANNEL_CREATE',
      expect.objectContaining({ id: '21', guild_id: '11' }),
    ]);
    expect(channelHidden({ ...general, guild_id: '11' })).toEqual({
      t: 'CHANNEL_DELETE',
      d: '{"id":"21","guild_id":"11"}',
    });
  });
});

describe('READY', () => {
  const place = { session_id: 's"1', resume_gateway_url: 'ws://127.0.0.1:8080/gateway' };

  it('has a user’s guilds and private channels', () => {
    const guilds = [guildPayload(shown, users)];
    const private_channels = [privateChannel(lunch, '1001', users)];
    expect(JSON.parse(readyPayload({ ...place, user: current, guilds, private_channels }))).toEqual({
      v: 1,
      ...place,
      user: current,
      guilds: guilds.map((text) => JSON.parse(text)),
      private_channels: [expect.objectContaining({ id: '22', recipients: [bob] })],
    });
  });

  it('has a bot’s guilds as unavailable, its application, and its shard if it sent one', () => {
    const bot = { ...place, user: { ...current, bot: true, email: null }, private_channels: [] };
    const guilds = ['11', '12'].map(unavailableGuild);
    expect(JSON.parse(readyPayload({ ...bot, guilds, application_id: '77', shard: [0, 1] }))).toEqual({
      v: 1,
      ...bot,
      guilds: [
        { id: '11', unavailable: true },
        { id: '12', unavailable: true },
      ],
      application: { id: '77', flags: 0 },
      shard: [0, 1],
    });
  });
});
