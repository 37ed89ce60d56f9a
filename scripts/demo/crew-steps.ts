import type { Channel, Guild } from './api-objects.ts';
import type { Stepper } from './steps.ts';

const VIEW_CHANNEL = '1024';
const EVERYONE = { type: 0, allow: '0', deny: VIEW_CHANNEL };
const CREW = { type: 0, allow: VIEW_CHANNEL, deny: '0' };

export interface Scene {
  /** The URL of the API, with /api/v1. */
  api: string;
  guild: Guild;
  /** The guild's first channel. */
  channel: Channel;
  /** The session of the guild's owner. */
  token: string;
  guest: { id: string; token: string };
}

/** An invite, a role, a channel hidden by an overwrite, slowmode, and a DM. */
export async function runCrewSteps(
  { step }: Stepper,
  { api, guild, channel, token, guest }: Scene,
): Promise<void> {
  const invite = await step<{ code: string }>('Ada makes an invite.', {
    method: 'POST',
    url: `${api}/channels/${channel.id}/invites`,
    token,
    body: {},
  });
  await step('Ben accepts it, and is a member.', {
    method: 'POST',
    url: `${api}/invites/${invite.code}`,
    token: guest.token,
  });
  const role = await step<{ id: string }>('Ada creates a role.', {
    method: 'POST',
    url: `${api}/guilds/${guild.id}/roles`,
    token,
    body: { name: 'Crew', color: 0x3ecf8e },
  });
  const cockpit = await step<Channel>('Overwrites hide a new channel from everybody but that role.', {
    method: 'POST',
    url: `${api}/guilds/${guild.id}/channels`,
    token,
    headers: { 'X-Audit-Log-Reason': 'for%20the%20crew%20only' },
    body: {
      name: 'cockpit',
      type: 0,
      permission_overwrites: [
        { id: guild.id, ...EVERYONE },
        { id: role.id, ...CREW },
      ],
    },
  });
  const look = { method: 'GET', url: `${api}/channels/${cockpit.id}`, token: guest.token } as const;
  await step('Ben cannot see it.', look, 403);
  const held = `${api}/guilds/${guild.id}/members/${guest.id}/roles/${role.id}`;
  await step('Ada gives Ben the role.', { method: 'PUT', url: held, token }, 204);
  await step('Now Ben can.', look);

  await step('Ada sets slowmode: one message every 30 seconds.', {
    method: 'PATCH',
    url: `${api}/channels/${cockpit.id}`,
    token,
    body: { rate_limit_per_user: 30 },
  });
  const post = (content: string) =>
    ({
      method: 'POST',
      url: `${api}/channels/${cockpit.id}/messages`,
      token: guest.token,
      body: { content },
    }) as const;
  await step('Ben posts.', post('What does this button do?'));
  await step('Ben posts again too soon: the response has the time to wait.', post('Oh.'), 400);
  const dm = await step<Channel>('Ada opens a DM with Ben.', {
    method: 'POST',
    url: `${api}/users/@me/channels`,
    token,
    body: { recipients: [guest.id] },
  });
  await step('Only the two of them can read her message.', {
    method: 'POST',
    url: `${api}/channels/${dm.id}/messages`,
    token,
    body: { content: 'Never press that one.' },
  });
}
