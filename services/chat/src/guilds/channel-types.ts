/** Kinds of channels (docs/guilds.md#channel-types). */
export const ChannelType = { TEXT: 0, DM: 1, VOICE: 2, GROUP_DM: 3, CATEGORY: 4 } as const;
