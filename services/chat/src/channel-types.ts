/** Kinds of channels (contract 7). */
export const ChannelType = { TEXT: 0, DM: 1, VOICE: 2, GROUP_DM: 3, CATEGORY: 4 } as const;
