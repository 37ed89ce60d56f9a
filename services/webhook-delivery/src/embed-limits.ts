/** What a rich embed can hold, in code points (docs/guilds.md#embeds). */
export const EMBED_LIMITS = {
  title: 256,
  description: 4096,
  author_name: 256,
  footer_text: 2048,
  fields: 25,
  field_name: 256,
  field_value: 1024,
  embeds: 10,
  /** All text of all embeds of a message. */
  total: 6000,
} as const;
