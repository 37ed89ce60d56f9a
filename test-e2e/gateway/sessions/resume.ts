import { beforeAll, describe, expect, it } from 'vitest';
import { withGlobalRetry } from '../../support/api.ts';
import { newBot } from '../../support/bots.ts';
import { expectOk } from '../../support/expect-status.ts';
import { createRole, giveRole, join, newGuild, patchChannel, say, takeRole } from '../../support/guilds.ts';
import { type GuildFixture, newcomer, newWebhook, type Person } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';
import { CLOSE, OP } from '../support/codes.ts';
import type { Dispatch } from '../support/objects.ts';
import { identify, type Session, sendResume } from '../support/session.ts';
import { type Gateway, invalidSession } from '../support/use-gateway.ts';
import { watchBy } from '../support/watch.ts';
import { hiddenExceptFor } from '../support/watched-guild.ts';

/** Resuming sessions (docs/gateway.md#resume). */
export function resume(stack: TestStack, gateway: Gateway): void {
  let fixture: GuildFixture;
  let owner: Person;
  let witness: Session;
  beforeAll(async () => {
    fixture = await newGuild(stack.api);
    owner = fixture.owner;
    witness = await gateway.identify(owner.token);
  });

  /** Posts a message and waits for its event, so that a later Resume replays it before RESUMED. */
  const sayBefore = async (to: Session, target: GuildFixture, content: string) => {
    const message = await say(target, target.owner, content);
    await to.event<{ id: string }>('MESSAGE_CREATE', ({ id }) => id === message.id);
    return message;
  };
  const post = (content: string) => sayBefore(witness, fixture, content);
  const contents = (events: readonly Dispatch[]) =>
    events.filter(({ t }) => t === 'MESSAGE_CREATE').map(({ d }) => (d as { content: string }).content);
  const refused = async (sent: { token: string; session_id: string; seq: number }) => {
    const connection = await gateway.connect();
    connection.send({ op: OP.RESUME, d: sent });
    expect(await invalidSession(connection)).toBe(false);
    return connection;
  };
  /** Expects that a session receives a new message. Returns the events before it. */
  const goesOn = async (session: Session) => {
    const { content } = await post(`still there? ${Math.random()}`);
    return session.before<{ content: string }>('MESSAGE_CREATE', (message) => message.content === content);
  };

  describe('a session that lost its connection', () => {
    it.each([
      ['broke', (session: Session) => session.connection.break()],
      ['was closed with 4000', (session: Session) => session.connection.close(4000)],
      ['was closed with 4200', (session: Session) => session.connection.close(4200)],
      ['was closed with 3999', (session: Session) => session.connection.close(3999)],
    ])('because it %s, gets every missed event in order, then RESUMED', async (_, lose) => {
      const session = await gateway.identify(owner.token);
      await post('seen');
      await session.event('MESSAGE_CREATE');
      const seq = session.seq();
      await lose(session);
      for (const content of ['one', 'two', 'three']) await post(content);
      const { session: resumed, missed } = await gateway.resume(session, seq);
      expect(contents(missed)).toEqual(['one', 'two', 'three']);
      const [first] = resumed.connection.dispatches;
      expect(first?.s).toBe(seq + 1);
      expect(resumed.seq(), 'RESUMED counts').toBe(seq + 4);
      expect(await goesOn(resumed)).toEqual([]);
      expect(resumed.seq()).toBe(seq + 5);
    });

    it('gets only RESUMED if it missed nothing', async () => {
      const session = await gateway.identify(owner.token);
      session.connection.break();
      const { missed, session: resumed } = await gateway.resume(session, 1);
      expect([missed, resumed.seq()]).toEqual([[], 2]);
    });

    it('gets events again from an earlier seq', async () => {
      const session = await gateway.identify(owner.token);
      for (const content of ['one', 'two', 'three']) await post(content);
      await session.event<{ content: string }>('MESSAGE_CREATE', ({ content }) => content === 'three');
      const before = session.fresh();
      session.connection.break();
      const { missed } = await gateway.resume(session, 2);
      expect(missed).toEqual(before.slice(1));
      const again = await gateway.resume(session, 1);
      expect(again.missed.filter(({ t }) => t !== 'RESUMED')).toEqual(before);
    });

    it('can be resumed repeatedly', async () => {
      const session = await gateway.identify(owner.token);
      let last = session;
      for (let n = 0; n < 5; n += 1) {
        const seq = last.seq();
        last.connection.break();
        await post(`round ${n}`);
        const resumed = await gateway.resume(session, seq);
        expect(contents(resumed.missed)).toEqual([`round ${n}`]);
        last = resumed.session;
      }
      expect(last.seq()).toBe(1 + 5 * 2);
    });

    it('gets exactly the events that were visible at their time', async () => {
      const other = await newGuild(stack.api);
      const member = await join(stack.api, other);
      const insiders = await createRole(other, { name: 'insiders', permissions: '0' });
      await giveRole(other, member, insiders);
      await patchChannel(other, other.channel.id, {
        permission_overwrites: hiddenExceptFor(other.guild, insiders),
      });
      const session = await gateway.identify(member.token);
      const before = await gateway.identify(other.owner.token);
      session.connection.break();
      await say(other, other.owner, 'seen');
      await takeRole(other, member, insiders);
      await say(other, other.owner, 'unseen');
      await giveRole(other, member, insiders);
      await sayBefore(before, other, 'seen again');
      const { missed } = await gateway.resume(session, 1);
      expect(contents(missed)).toEqual(['seen', 'seen again']);
      const ofChannel = missed.map(({ t }) => t).filter((t) => t !== 'GUILD_MEMBER_UPDATE');
      expect(ofChannel).toEqual(['MESSAGE_CREATE', 'CHANNEL_DELETE', 'CHANNEL_CREATE', 'MESSAGE_CREATE']);
    });

    it('gets its account’s changes and a guild that it joined', async () => {
      const person = await newcomer(withGlobalRetry(stack.api));
      const session = await gateway.identify(person.token);
      session.connection.break();
      await expectOk(person.api.post(`/invites/${await fixture.invite()}`));
      await post('welcome');
      const global_name = 'Changed';
      await expectOk(person.api.send('PATCH', '/users/@me', { body: { global_name } }));
      const { missed } = await gateway.resume(session, 1);
      // Accounts have a separate log, so USER_UPDATE can be anywhere in the order.
      const others = missed.filter(({ t }) => t !== 'USER_UPDATE');
      expect(others.map(({ t }) => t)).toEqual(['GUILD_CREATE', 'MESSAGE_CREATE']);
      const updates = missed.filter(({ t }) => t === 'USER_UPDATE');
      expect(updates).toMatchObject([{ d: { global_name } }]);
    });

    it('can be a bot’s, with or without the prefix', async () => {
      const bot = await newBot(stack.api);
      const session = await gateway.identify(bot.token);
      const other = await gateway.identify(bot.token);
      await session.connection.close(4000);
      await expectOk(bot.api.post('/guilds', { name: 'By a bot' }));
      await other.event('GUILD_CREATE');
      const { missed } = await gateway.resume({ ...session, token: `Bot ${bot.token}` }, 1);
      expect(missed.map(({ t }) => t)).toEqual(['GUILD_CREATE']);
    });

    it('misses nothing while messages are posted continuously', async () => {
      const busy = await newWebhook(stack.api);
      const first = await gateway.identify(busy.owner.token);
      const posted: string[] = [];
      let posting = true;
      const writer = (async () => {
        while (posting) posted.push((await busy.say({ content: 'x' })).id);
      })();
      const read: Dispatch[] = [];
      let session = first;
      try {
        for (let n = 0; n < 6; n += 1) {
          await session.connection.until('some events', () => session.fresh()[n]);
          session.connection.break();
          // Later events are not read here; the resume replays them.
          read.push(...session.fresh());
          session = sendResume(await gateway.connect(), first, read.at(-1)?.s ?? 1);
        }
      } finally {
        posting = false;
        await writer;
      }
      const { received } = watchBy(session, { by: busy.owner, channel_id: busy.channel.id });
      read.push(...(await received()));
      const ids = read.filter(({ t }) => t === 'MESSAGE_CREATE').map(({ d }) => (d as { id: string }).id);
      expect(ids).toEqual(posted);
    });
  });

  describe('a Resume', () => {
    it('takes over a connection that hangs', async () => {
      const session = await gateway.identify(owner.token);
      session.connection.pause();
      await post('while it hangs');
      const { session: resumed, missed } = await gateway.resume(session, 1);
      expect(contents(missed)).toEqual(['while it hangs']);
      expect(await goesOn(resumed)).toEqual([]);
      session.connection.resumeReading();
      await session.connection.closed();
      expect(contents(session.fresh()).filter((content) => content.startsWith('still'))).toEqual([]);
      const { missed: none } = await gateway.resume(session, resumed.seq());
      expect(none, 'the session survives the end of the old connection').toEqual([]);
    });

    it('with a wrong token is refused, and the session continues', async () => {
      const session = await gateway.identify(owner.token);
      const stranger = await newcomer(stack.api);
      for (const token of [stranger.token, 'x', '', `gth_${'a'.repeat(36)}`])
        await refused({ token, session_id: session.session_id, seq: 1 });
      expect(await goesOn(session)).toEqual([]);
      expect(session.connection.is_open).toBe(true);
    });

    it('with a wrong token of a disconnected session is refused, and its owner can resume', async () => {
      const session = await gateway.identify(owner.token);
      await session.connection.close(4000);
      const stranger = await newcomer(stack.api);
      await refused({ token: stranger.token, session_id: session.session_id, seq: 1 });
      await post('for its owner');
      expect(contents((await gateway.resume(session, 1)).missed)).toEqual(['for its owner']);
    });

    it.each(['', 'x', '0', '..', 'a'.repeat(2000), '\u0000'])(
      'of an unknown session is refused: %j',
      async (session_id) => {
        await refused({ token: owner.token, session_id, seq: 1 });
      },
    );

    it('that is refused leaves the connection open for Identify', async () => {
      const connection = await refused({ token: owner.token, session_id: 'none', seq: 1 });
      const session = await identify(connection, owner.token);
      expect(await goesOn(session)).toEqual([]);
    });

    it('with a future seq is 4007, and does not take over the session', async () => {
      const session = await gateway.identify(owner.token);
      const connection = await gateway.connect();
      sendResume(connection, session, 2);
      expect((await connection.closed()).code).toBe(CLOSE.INVALID_SEQUENCE);
      const { missed } = await gateway.resume(session, 1);
      expect(missed).toEqual([]);
    });
  });

  describe('a session ends', () => {
    it.each([1000, 1001])('when its client closes with %i', async (code) => {
      const session = await gateway.identify(owner.token);
      await session.connection.close(code);
      const connection = await refused({ token: owner.token, session_id: session.session_id, seq: 1 });
      expect((await identify(connection, owner.token)).session_id).not.toBe(session.session_id);
    });
  });
}
