import { newId } from '../../support/guilds.ts';
import { chance, pick, randomView, type Scene, type Steps } from './scene.ts';

export function channelSteps({ chat, guild_id, guild, by, channel_id }: Scene): Steps {
  return {
    createChannel: [
      1,
      async () => {
        const type = pick([0, 0, 2, 4, 4]);
        const { channel } = await chat.createChannel(
          {
            guild_id,
            name: 'c',
            type,
            permission_overwrites: chance(0.5) ? [{ id: guild_id, type: 0, ...randomView() }] : [],
          },
          by,
        );
        (type === 4 ? guild.categories : guild.channels).push(channel?.id ?? '');
      },
    ],
    updateChannel: [
      2,
      () =>
        chat.updateChannel(
          {
            channel_id,
            name: newId(),
            topic: { value: newId() },
            parent_id: chance(0.8) ? { value: pick(guild.categories) ?? null } : null,
          },
          by,
        ),
    ],
    updateChannelPositions: [
      0.5,
      () =>
        chat.updateChannelPositions(
          { guild_id, positions: [{ id: channel_id, position: Math.floor(Math.random() * 9) }] },
          by,
        ),
    ],
    deleteChannel: [
      0.4,
      async () => {
        if (guild.channels.length < 3 || channel_id === guild.channels[0]) return;
        await chat.deleteChannel({ channel_id }, by);
        guild.channels = guild.channels.filter((id) => id !== channel_id);
      },
    ],
    deleteCategory: [
      0.5,
      async () => {
        const category = pick(guild.categories) ?? '1';
        await chat.deleteChannel({ channel_id: category }, by);
        guild.categories = guild.categories.filter((id) => id !== category);
      },
    ],
  };
}

export function overwriteSteps({ chat, guild_id, by, person, channel_id, role_id }: Scene): Steps {
  return {
    clearOverwrites: [
      0.5,
      () =>
        chat.updateChannel(
          {
            channel_id,
            topic: null,
            parent_id: null,
            permission_overwrites: { items: [{ id: person, type: 1, ...randomView() }] },
          },
          by,
        ),
    ],
    putOverwrite: [
      4,
      () =>
        chance(0.5)
          ? chat.putOverwrite({ channel_id, overwrite_id: person, type: 1, ...randomView() }, by)
          : chat.putOverwrite(
              { channel_id, overwrite_id: chance(0.3) ? guild_id : role_id, type: 0, ...randomView() },
              by,
            ),
    ],
    deleteOverwrite: [
      2,
      () => chat.deleteOverwrite({ channel_id, overwrite_id: pick([person, role_id, guild_id]) }, by),
    ],
  };
}
