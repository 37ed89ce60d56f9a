import type { AuditLog, Channel, Guild, Message } from './api-objects.ts';
import type { Account, DemoOptions } from './arguments.ts';
import { send } from './call.ts';
import { runCrewSteps } from './crew-steps.ts';
import { DemoError } from './demo-error.ts';
import { runOauth2Steps } from './oauth2-steps.ts';
import { stepper } from './steps.ts';
import { runTailSteps } from './tail-steps.ts';
import { runWebhookSteps } from './webhook-steps.ts';

interface Session {
  account: Account;
  token: string;
  user_id: string;
}

export interface Outcome {
  account: Account;
  guest: Account;
  guild: Guild;
  channel: Channel;
  /** Oldest first. */
  messages: Message[];
  log: AuditLog;
  /** The URL of a webhook, with its token. */
  hook: string;
}

/**
 * Runs the story and prints each step: two users, a guild with a hidden channel, a webhook, an application, a channel
 * watched live, and the audit log.
 */
export async function runStory(options: DemoOptions): Promise<Outcome> {
  const api = `${options.url}/api/v1`;
  await expectStack(options.url);
  const steps = stepper();
  const { step } = steps;
  const { account, token } = await enter('Ada', options.account);

  const guild = await step<Guild>('Ada creates a guild.', {
    method: 'POST',
    url: `${api}/guilds`,
    token,
    body: { name: 'Mission Control' },
  });
  const channels = await step<Channel[]>('It has a channel "general".', {
    method: 'GET',
    url: `${api}/guilds/${guild.id}/channels`,
    token,
  });
  const channel = channels.find(({ name }) => name === 'general');
  if (channel === undefined) throw new DemoError('The guild has no channel "general".');
  const ben = await enter('Ben', options.guest);
  const scene = { api, guild, channel, token, guest: { id: ben.user_id, token: ben.token } };
  await runCrewSteps(steps, scene);
  const hook = await runWebhookSteps(steps, scene);
  await runOauth2Steps(steps, scene);
  await runTailSteps(steps, scene, hook);

  const read = await step<Message[]>('Read the channel.', {
    method: 'GET',
    url: `${api}/channels/${channel.id}/messages?limit=100`,
    token,
  });
  const log = await step<AuditLog>('Read the audit log.', {
    method: 'GET',
    url: `${api}/guilds/${guild.id}/audit-logs`,
    token,
  });
  return { account, guest: ben.account, guild, channel, messages: read.reverse(), log, hook };

  /** Logs a user in, or registers a new one. */
  async function enter(name: string, known: Account | undefined): Promise<Session> {
    const username = `demo_${name.toLowerCase()}_${Date.now().toString(36)}`;
    const account = known ?? { email: `${username}@example.com`, password: `${username}-password` };
    const [text, path, body] =
      known === undefined
        ? [`${name} registers.`, 'register', { ...account, username, global_name: name }]
        : [`${name} logs in.`, 'login', account];
    const call = { method: 'POST', url: `${api}/auth/${path}`, body } as const;
    return { account, ...(await step<Omit<Session, 'account'>>(text, call)) };
  }
}

async function expectStack(url: string): Promise<void> {
  const advice = 'Start one in another terminal first:\n  npm start';
  const { status } = await send({ method: 'GET', url: `${url}/readyz` }).catch((error: unknown) => {
    throw error instanceof DemoError ? new DemoError(`${error.message}\n${advice}`) : error;
  });
  if (status !== 200) throw new DemoError(`The stack at ${url} is not ready (${status}).\n${advice}`);
}
