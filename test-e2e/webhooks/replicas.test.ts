import { expect, it } from 'vitest';
import { bits } from '../chat/permission-bits.ts';
import type { Api } from '../support/api.ts';
import { useDatabase } from '../support/database.ts';
import { expectError } from '../support/expect-error.ts';
import { expectNoContent, expectOk } from '../support/expect-status.ts';
import { createChannel, createRole, giveRole, join, takeRole } from '../support/guilds.ts';
import type { Message, Webhook } from '../support/objects.ts';
import { png } from '../support/png.ts';
import { type TestStack, UNLIMITED, useStackInProcess } from '../support/stack.ts';
import { deleteWebhook, openWebhook, patchWebhook, postWebhook } from './calls.ts';

/**
 * Two stacks on one database act as two replicas of each service. A change answered by one is effective at the other.
 */
const database = useDatabase();
const one = useStackInProcess(UNLIMITED, database);
const two = useStackInProcess(UNLIMITED, database);

const ROUNDS = 8;

/** A webhook created through the first, with its owner's clients at both. */
async function open() {
  const hook = await openWebhook(one);
  const owner = (at: TestStack): Api => at.api.as(`Bearer ${hook.owner.token}`);
  const say = async (at: TestStack, content: string): Promise<Message> => {
    const reply = await at.api.post(`${hook.path}?wait=true`, { content });
    expect(reply.status, reply.text).toBe(200);
    return reply.json<Message>();
  };
  return { ...hook, ownerAt: owner, sayAt: say };
}

it('a new name, avatar and channel apply to the next message at any replica', async () => {
  const { ownerAt, sayAt, webhook, channel, path, ...fixture } = await open();
  const room = await createChannel({ ...fixture, channel }, { name: 'room' });
  expect((await sayAt(two, 'x')).author.username).toBe('Build');
  for (let round = 0; round < ROUNDS; round++) {
    const [here, there] = round % 2 ? [one, two] : [two, one];
    const at = round % 3 ? channel.id : room.id;
    const avatar = png(2, round).toString('base64');
    const change = { name: `name ${round}`, avatar, channel_id: at };
    const now = await expectOk<Webhook>(patchWebhook(ownerAt(here), webhook.id, change));
    expect(await sayAt(there, 'x')).toMatchObject({
      channel_id: at,
      author: { username: change.name, avatar: now.avatar },
    });
    await expectOk(there.api.send('PATCH', path, { body: { name: `token ${round}` } }));
    expect((await sayAt(here, 'x')).author.username).toBe(`token ${round}`);
  }
});

it('a webhook deleted at any replica accepts no message', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const [here, there] = round % 2 ? [one, two] : [two, one];
    const { ownerAt, sayAt, webhook, path } = await open();
    await sayAt(there, 'x');
    await expectNoContent(
      round % 4 < 2 ? deleteWebhook(ownerAt(here), webhook.id) : here.api.send('DELETE', path),
    );
    expectError(await there.api.post(path, { content: 'x' }), 404, 'NOT_FOUND');
    expectError(await there.api.post(`${path}/chatcompat`, { text: 'x' }), 404, 'NOT_FOUND');
    expectError(await there.api.get(path), 404, 'NOT_FOUND');
    expectError(await ownerAt(there).get(`/webhooks/${webhook.id}`), 404, 'NOT_FOUND');
  }
});

it('a channel deleted at any replica accepts no message', async () => {
  const { ownerAt, ...fixture } = await open();
  for (let round = 0; round < ROUNDS; round++) {
    const [here, there] = round % 2 ? [one, two] : [two, one];
    const room = await createChannel(fixture, { name: `room ${round}` });
    const { id, token } = await expectOk<Webhook>(postWebhook(ownerAt(here), room.id));
    const path = `/webhooks/${id}/${token}`;
    expect((await there.api.post(path, { content: 'x' })).status).toBe(204);
    await expectNoContent(ownerAt(here).send('DELETE', `/channels/${room.id}`));
    expectError(await there.api.post(path, { content: 'x' }), 404, 'NOT_FOUND');
  }
});

it('a permission removed at one replica is gone at the other', async () => {
  const { ownerAt, webhook, ...fixture } = await open();
  const member = await join(one.api, fixture);
  const role = await createRole(fixture, { permissions: bits('MANAGE_WEBHOOKS') });
  const memberAt = (at: TestStack) => at.api.as(`Bearer ${member.token}`);
  for (let round = 0; round < ROUNDS; round++) {
    await giveRole(fixture, member, role);
    expect((await memberAt(two).get(`/webhooks/${webhook.id}`)).status).toBe(200);
    await takeRole(fixture, member, role);
    expectError(await patchWebhook(memberAt(two), webhook.id, { name: 'x' }), 403, 'FORBIDDEN');
  }
});

it('the fifteenth webhook of a channel is created once over both replicas', async () => {
  const { ownerAt, channel } = await open();
  for (let n = 1; n < 14; n++) await expectOk(postWebhook(ownerAt(n % 2 ? one : two), channel.id));
  const replies = await Promise.all(
    Array.from({ length: 32 }, (_, n) => postWebhook(ownerAt(n % 2 ? one : two), channel.id)),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(31).fill(400)]);
  expect(await expectOk<Webhook[]>(ownerAt(two).get(`/channels/${channel.id}/webhooks`))).toHaveLength(15);
});
