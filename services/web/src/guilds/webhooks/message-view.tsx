import type { Embed } from '@gatehouse/proto/chat';
import { formatTime } from '../../shared/i18n/format.ts';
import { i18n } from '../../shared/i18n/i18n.ts';
import type { Preview, Webhook } from './webhook.ts';
import { WebhookPicture } from './webhook-picture.tsx';
import { withTimes } from './with-times.ts';

/** A message as a chat shows it. All of its text is plain. */
export function MessageView({ preview, webhook }: { preview: Preview; webhook: Webhook }) {
  const { username = webhook.name, content, embeds } = preview;
  return (
    <article class="message" aria-label={i18n._('The message')}>
      <p class="message-author">
        <WebhookPicture webhook={{ ...webhook, name: username }} />
        <bdi class="webhook-name">{username}</bdi>
      </p>
      {content && (
        <p class="message-text" dir="auto">
          {content}
        </p>
      )}
      {embeds.map((embed, index) => (
        // Embeds have no identity: the preview replaces them all.
        <EmbedView key={String(index)} embed={embed} />
      ))}
    </article>
  );
}

function EmbedView({ embed }: { embed: Embed }) {
  const { author, title, description, fields, footer, timestamp } = embed;
  const time = timestamp ? new Date(timestamp) : undefined;
  return (
    <div class="embed">
      <svg class="embed-bar" aria-hidden="true" viewBox="0 0 1 1" preserveAspectRatio="none">
        <rect width="1" height="1" fill={colorOf(embed.color)} />
      </svg>
      <div class="embed-body">
        {author?.name && <bdi class="embed-author">{author.name}</bdi>}
        {title && (
          <p class="embed-title" dir="auto">
            {title}
          </p>
        )}
        {description && (
          <p class="message-text" dir="auto">
            {description}
          </p>
        )}
        <Fields fields={fields} />
        <Pictures embed={embed} />
        {(footer?.text || time) && (
          <p class="hint" dir="auto">
            {[footer?.text, time && formatTime(time)].filter(Boolean).join(' · ')}
          </p>
        )}
      </div>
    </div>
  );
}

function Fields({ fields }: Pick<Embed, 'fields'>) {
  if (fields.length === 0) return null;
  return (
    <dl class="embed-fields">
      {fields.map(({ name, value, inline }, index) => (
        <div key={String(index)} class={inline ? 'inline-field' : 'embed-field'}>
          <dt dir="auto">{name}</dt>
          <dd dir="auto" class="message-text">
            {withTimes(value ?? '', formatTime)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Pictures of other hosts are not loaded here: the page loads nothing from them. */
function Pictures({ embed: { image, thumbnail } }: { embed: Embed }) {
  const urls = [thumbnail?.url, image?.url].filter((url) => url != null);
  if (urls.length === 0) return null;
  return (
    <p class="hint">
      {i18n._('{count, plural, one {# picture} other {# pictures}}', { count: urls.length })}
    </p>
  );
}

/** Gray without a color. */
function colorOf(color: Embed['color']): string {
  const number = Number(color ?? Number.NaN);
  return Number.isInteger(number) ? `#${number.toString(16).padStart(6, '0')}` : '#808080';
}
