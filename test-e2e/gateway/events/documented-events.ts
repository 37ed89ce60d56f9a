import { expect, it } from 'vitest';
import { expectNoContent, expectOk } from '../../support/expect-status.ts';
import { createChannel, createRole, join, newGuild, patchChannel, say } from '../../support/guilds.ts';
import type { Invite, PrivateChannel } from '../../support/objects.ts';
import { type Caller, createGuild, createWebhook, type GuildFixture } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';
import { DOCUMENTED_EVENTS } from '../support/documented-frames.ts';
import type { Session } from '../support/session.ts';
import { type Gateway, invalidSession } from '../support/use-gateway.ts';

/** The recorder compares every frame of every Gateway test with gateway/asyncapi.json. Here each event occurs. */
export function documentedEvents(stack: TestStack, gateway: Gateway): void {
  it('every event of asyncapi.json is sent, with the documented payload', async () => {
    const fixture = await newGuild(stack.api);
    const session = await gateway.identify(fixture.owner.token);
    await changeGuild(fixture);
    await changeChannels(fixture, session);
    await changeMembers(fixture, stack);
    await changePrivateChannels(fixture, stack);
    await expectOk(patch(fixture.owner, '/users/@me', { global_name: 'Ada' }));
    await session.event('USER_UPDATE');
    await createGuild(fixture.owner);
    await expectNoContent(remove(fixture.owner, `/guilds/${fixture.guild.id}`));
    await session.event('GUILD_DELETE');
    const resumed = await resumeAfterRefusal(gateway, session);
    const received = [...session.connection.dispatches, ...resumed.connection.dispatches].map(({ t }) => t);
    expect(new Set(received)).toEqual(new Set(DOCUMENTED_EVENTS));
  });
}

function patch({ api }: Caller, path: string, body: object) {
  return api.send('PATCH', path, { body });
}

function remove({ api }: Caller, path: string) {
  return api.send('DELETE', path);
}

async function changeGuild(fixture: GuildFixture): Promise<void> {
  const { owner, guild } = fixture;
  await expectOk(patch(owner, `/guilds/${guild.id}`, { name: 'Studio' }));
  const role = await createRole(fixture, { name: 'helper' });
  const path = `/guilds/${guild.id}/roles/${role.id}`;
  await expectOk(patch(owner, path, { name: 'helpers' }));
  await expectNoContent(remove(owner, path));
}

async function changeChannels(fixture: GuildFixture, session: Session): Promise<void> {
  const { owner } = fixture;
  const channel = await createChannel(fixture, { name: 'other' });
  await patchChannel(fixture, channel.id, { name: 'another' });
  await createWebhook({ ...fixture, channel }, owner.api);
  await session.event('WEBHOOKS_UPDATE'); // it is written after the commit
  const message = await say({ channel }, owner, 'hello');
  const path = `/channels/${channel.id}/messages/${message.id}`;
  await expectOk(patch(owner, path, { content: 'hi' }));
  await expectNoContent(remove(owner, path));
  const { code } = await expectOk<Invite>(owner.api.post(`/channels/${channel.id}/invites`, {}));
  await expectNoContent(remove(owner, `/invites/${code}`));
  await expectNoContent(remove(owner, `/channels/${channel.id}`));
}

async function changeMembers(fixture: GuildFixture, { api }: TestStack): Promise<void> {
  const { owner, guild } = fixture;
  const person = await join(api, fixture);
  const path = `/guilds/${guild.id}/members/${person.user.id}`;
  await expectOk(patch(owner, path, { nick: 'Bobby' }));
  await expectNoContent(remove(owner, path));
}

async function changePrivateChannels(fixture: GuildFixture, { api }: TestStack): Promise<void> {
  const { owner } = fixture;
  const [one, two, three] = await Promise.all([1, 2, 3].map(() => join(api, fixture)));
  const recipients = [one?.user.id, two?.user.id];
  const group = await expectOk<PrivateChannel>(owner.api.post('/users/@me/channels', { recipients }));
  const path = `/channels/${group.id}/recipients/${three?.user.id}`;
  await expectNoContent(owner.api.send('PUT', path));
  await expectNoContent(remove(owner, path));
}

async function resumeAfterRefusal(gateway: Gateway, session: Session): Promise<Session> {
  session.connection.break();
  const refused = await gateway.connect();
  refused.send({ op: 6, d: { token: session.token, session_id: 'another', seq: 1 } });
  expect(await invalidSession(refused)).toBe(false);
  return (await gateway.resume(session, session.seq())).session;
}
