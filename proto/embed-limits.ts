/** What a rich embed of a message can hold, in code points unless said otherwise (docs/guilds.md#embeds). */
export const EMBED_LIMITS = {
  title: 256,
  description: 4096,
  url: 2048,
  /** The largest number. */
  color: 0xffffff,
  author_name: 256,
  footer_text: 2048,
  /** How many. */
  fields: 25,
  field_name: 256,
  field_value: 1024,
  /** How many a message has. */
  embeds: 10,
  /** All text of all embeds of a message. */
  total: 6000,
} as const;
