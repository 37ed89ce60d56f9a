import { Fault } from '@gatehouse/kit/fault';
import { addAccount } from '../../support/guilds.ts';
import { as } from '../../support/requests.ts';
import type { ChatClient, ChatFixture } from '../../support/start-chat.ts';
import { channelSteps, overwriteSteps } from './channel-steps.ts';
import { guildSteps, memberSteps, roleSteps } from './guild-steps.ts';
import { messageSteps, privateSteps } from './message-steps.ts';
import { chance, type PostedMessage, pick, type RandomGuild, type Scene, type Steps } from './scene.ts';

/** Guilds and private channels with random actions, many of which are refused. */
export class RandomWorld {
  readonly fixture: ChatFixture;
  readonly people: readonly string[];
  readonly guilds = new Map<string, RandomGuild>();
  readonly groups: string[] = [];
  readonly messages: PostedMessage[] = [];
  /** How often each action succeeded. */
  readonly done: Record<string, number> = {};
  readonly unexpected: unknown[] = [];

  constructor(fixture: ChatFixture, people: readonly string[]) {
    this.fixture = fixture;
    this.people = people;
  }

  async createGuild(chat: ChatClient): Promise<void> {
    const owner = pick(this.people);
    const { guild } = await chat.createGuild({ name: 'Guild' }, as(owner));
    const guild_id = guild?.id ?? '';
    const { channels } = await chat.listGuildChannels({ guild_id }, as(owner));
    const [general] = channels.map(({ id }) => id);
    const { invite } = await chat.createInvite({ channel_id: general ?? '' }, as(owner));
    this.guilds.set(guild_id, {
      owner,
      channels: channels.map(({ id }) => id),
      categories: [],
      roles: [],
      ...(invite && { code: invite.code }),
    });
    for (const one of this.people)
      if (chance(0.6)) await chat.acceptInvite({ code: invite?.code ?? '' }, as(one));
  }

  async step(chat: ChatClient): Promise<void> {
    const [guild_id, guild] = pick([...this.guilds]);
    const { people, guilds, groups, messages } = this;
    const scene: Scene = {
      people,
      guilds,
      groups,
      messages,
      createGuild: () => this.createGuild(chat),
      newAccount: () => addAccount(this.fixture),
      chat,
      guild_id,
      guild,
      owner: guild.owner,
      by: as(guild.owner),
      person: pick(this.people),
      channel_id: pick(guild.channels) ?? '1',
      role_id: pick(guild.roles) ?? '1',
      old: pick(this.messages),
      group: pick(this.groups) ?? '1',
    };
    const steps: Steps = {
      ...messageSteps(scene),
      ...memberSteps(scene),
      ...roleSteps(scene),
      ...channelSteps(scene),
      ...overwriteSteps(scene),
      ...guildSteps(scene),
      ...privateSteps(scene),
    };
    let left = Math.random() * Object.values(steps).reduce((sum, [weight]) => sum + weight, 0);
    for (const [name, [weight, run]] of Object.entries(steps)) {
      left -= weight;
      if (left > 0) continue;
      this.done[name] ??= 0;
      try {
        await run();
        this.done[name]++;
      } catch (error) {
        const isRefusal = error instanceof Fault && error.reason !== 'INTERNAL_SERVER_ERROR';
        if (!isRefusal) this.unexpected.push(`${name}: ${error}`);
      }
      return;
    }
  }
}
