import { describe, expect, it } from 'vitest';
import { createChannel, done, newGuild, ok } from './chat/guild-fixture.ts';
import type { Reply } from './support/api.ts';
import { expectError } from './support/expect-error.ts';
import type { Channel, Webhook } from './support/objects.ts';
import { UNLIMITED, useSharedSuite } from './support/suite.ts';
import { create, patch, remove } from './webhooks/calls.ts';

/** More creations than the limits of a minute let through. */
const suite = useSharedSuite(UNLIMITED);

const A_CHANNEL = 15;
const A_GUILD = 1000;
const MANY = 16;

const together = <T>(count: number, send: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => send(n)));

/** Holds that one of them was admitted, and all others told that there is no room. */
function expectOne(replies: Reply[]): void {
  expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(replies.length - 1).fill(400)]);
  for (const reply of replies) if (reply.status !== 200) expectError(reply, 400, 'BAD_REQUEST');
}

describe('a channel holds 15 webhooks', () => {
  it('and one of 16 creations at 14, and room again when one is deleted', async () => {
    const { owner, channel } = await newGuild(suite.api);
    const { api } = owner;
    const list = () => ok<Webhook[]>(api.get(`/channels/${channel.id}/webhooks`));
    await together(A_CHANNEL - 1, () => create(api, channel.id));
    expect(await list()).toHaveLength(A_CHANNEL - 1);
    expectOne(await together(MANY, () => create(api, channel.id)));
    const full = await list();
    expect(full).toHaveLength(A_CHANNEL);
    expectError(await create(api, channel.id), 400, 'BAD_REQUEST');
    expectError(await create(api, channel.id, { name: '' }), 400, 'BAD_REQUEST', {
      name: 'WEBHOOK_NAME_LENGTH_INVALID',
    });
    const [first, second] = full;
    expect((await patch(api, first?.id ?? '', { name: 'x', channel_id: channel.id })).status).toBe(200);
    await done(remove(api, second?.id ?? ''));
    expectOne(await together(MANY, () => create(api, channel.id)));
  });

  it('and takes no more by a move, however many come at once', async () => {
    const fixture = await newGuild(suite.api);
    const { owner, channel } = fixture;
    const { api } = owner;
    await together(A_CHANNEL - 1, () => create(api, channel.id));
    const rooms = await together(2, (n) => createChannel(fixture, { name: `room ${n}` }));
    const movers = await together(MANY, (n) => ok<Webhook>(create(api, rooms[n % 2]?.id ?? '')));
    expectOne(
      await together(MANY, (n) => patch(api, movers[n]?.id ?? '', { channel_id: channel.id, name: 'm' })),
    );
    const [left] = await ok<Webhook[]>(api.get(`/channels/${rooms[0]?.id}/webhooks`));
    expect(left?.name, 'a refused move changes nothing').toBe('Build');
    expectError(await patch(api, left?.id ?? '', { channel_id: channel.id }), 400, 'BAD_REQUEST');
    const [resident] = await ok<Webhook[]>(api.get(`/channels/${channel.id}/webhooks`));
    await ok(patch(api, resident?.id ?? '', { channel_id: rooms[0]?.id }));
    await ok(patch(api, left?.id ?? '', { channel_id: channel.id }));
  });
});

describe('a guild holds 1,000 webhooks', () => {
  it('and one of 16 creations at 999, and no more; they may move', async () => {
    const fixture = await newGuild(suite.api);
    const { owner, guild } = fixture;
    const { api } = owner;
    const rooms: Channel[] = [];
    for (let made = 0; made < A_GUILD / A_CHANNEL + 2; made += MANY)
      rooms.push(...(await together(MANY, (n) => createChannel(fixture, { name: `room ${made + n}` }))));
    let count = 0;
    while (count < A_GUILD - 1) {
      const batch = Math.min(45, A_GUILD - 1 - count);
      const from = count;
      await together(batch, (n) => ok(create(api, rooms[Math.floor((from + n) / A_CHANNEL)]?.id ?? '')));
      count += batch;
    }
    const list = () => ok<Webhook[]>(api.get(`/guilds/${guild.id}/webhooks`));
    expect(await list()).toHaveLength(A_GUILD - 1);
    const empty = rooms.slice(-2);
    expectOne(await together(MANY, (n) => create(api, empty[n % 2]?.id ?? '')));
    const full = await list();
    expect(full).toHaveLength(A_GUILD);
    expectError(await create(api, empty[0]?.id ?? ''), 400, 'BAD_REQUEST');
    await ok(patch(api, full[0]?.id ?? '', { channel_id: empty[0]?.id }));
    const another = await newGuild(suite.api);
    expect((await create(another.owner.api, another.channel.id)).status).toBe(200);
    await done(api.send('DELETE', `/channels/${full[20]?.channel_id}`));
    await expect.poll(async () => (await create(api, empty[1]?.id ?? '')).status).toBe(200);
  });
});
