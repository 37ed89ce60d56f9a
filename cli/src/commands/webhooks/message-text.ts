import type { RenderedMessage } from '@gatehouse/webhook-delivery/render';
import { plainText } from '../../output/plain-text.ts';
import { stripControls } from '../../output/printable.ts';

type Text = string | null | undefined;

/** The members of an embed that are shown; embeds of the API and of renderers have them. */
export interface EmbedContent {
  readonly title?: Text;
  readonly url?: Text;
  readonly description?: Text;
  readonly color?: number | null | undefined;
  readonly timestamp?: Text;
  readonly author?: { readonly name?: Text; readonly url?: Text } | null | undefined;
  readonly footer?: { readonly text?: Text } | null | undefined;
  readonly image?: { readonly url?: Text } | null | undefined;
  readonly thumbnail?: { readonly url?: Text } | null | undefined;
  readonly fields?: readonly { readonly name?: Text; readonly value?: Text }[] | undefined;
}

/** A message as lines of text. */
export function messageText({ username, content, embeds }: RenderedMessage): string {
  const name = username === null ? "(the webhook's name)" : stripControls(username);
  return [
    `${name} BOT`,
    ...(content === null ? [] : plainText(content).split('\n')).map((line) => `  ${line}`),
    ...embeds.flatMap((embed) => ['', ...embedLines(embed)]),
  ].join('\n');
}

/** An embed as lines of text behind a bar: author, title, link, description, fields, pictures, footer. */
export function embedLines(embed: EmbedContent): string[] {
  const { color, author, title, url, description, fields = [], footer, timestamp, image, thumbnail } = embed;
  const last = [footer?.text, timestamp, color == null ? null : `#${color.toString(16).padStart(6, '0')}`];
  const texts = [
    [author?.name, link(author?.url)].filter(Boolean).join(' '),
    title,
    title == null ? null : link(url),
    description == null ? null : plainText(description),
    ...fields.map(({ name, value }) => `${plainText(name ?? '')}: ${plainText(value ?? '')}`),
    image == null ? null : `image ${link(image.url)}`,
    thumbnail == null ? null : `thumbnail ${link(thumbnail.url)}`,
    last.filter(Boolean).join(' · '),
  ];
  return texts
    .filter((text) => text != null && text !== '')
    .flatMap((text) => stripControls(text ?? '').split('\n'))
    .map((line) => `  ┃ ${line}`.trimEnd());
}

function link(url: Text): string | undefined {
  return url == null ? undefined : `<${url}>`;
}
