/** The limits of a message's embeds, in code points unless noted (docs/guilds.md#embeds). */
export const EMBED_LIMITS = {
  title: 256,
  description: 4096,
  url: 2048,
  /** The maximum value. */
  color: 0xffffff,
  author_name: 256,
  footer_text: 2048,
  /** Maximum fields of an embed. */
  fields: 25,
  field_name: 256,
  field_value: 1024,
  /** Maximum embeds of a message. */
  embeds: 10,
  /** Maximum total text of a message's embeds. */
  total: 6000,
} as const;
