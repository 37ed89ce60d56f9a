import { useEffect, useRef } from 'preact/hooks';
import { i18n } from '../../shared/i18n/i18n.ts';
import { Field } from '../../shared/ui/field.tsx';
import { hashOf } from '../route.ts';
import { filterWebhooks, type Webhook } from './webhook.ts';
import { WebhookPicture } from './webhook-picture.tsx';

/** Rows that are shown at once. */
const STEP = 100;

/** What the list shows. It outlives the list, so that the way back from a webhook leads to the same rows. */
export interface ListState {
  readonly text: string;
  readonly most: number;
}

export const FIRST_ROWS: ListState = { text: '', most: STEP };

/** The webhooks of a guild, with a filter. */
export function WebhookList(props: {
  webhooks: readonly Webhook[];
  nameOf: (channel_id: string) => string;
  /** The row that gets the focus. */
  focused: string | undefined;
  state: ListState;
  onState: (state: ListState) => void;
}) {
  const { webhooks, nameOf, focused, state, onState } = props;
  const { text, most } = state;
  const row = useRef<HTMLAnchorElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (focused !== undefined) (row.current ?? heading.current)?.focus();
  }, []);
  const found = filterWebhooks(webhooks, nameOf, text);
  return (
    <section class="card">
      <h2 ref={heading} tabIndex={-1}>
        {i18n._('Webhooks')}
      </h2>
      {webhooks.length === 0 && (
        <p class="quiet">
          {i18n._('There is no webhook yet. A webhook is an address at which other programs post messages.')}
        </p>
      )}
      {webhooks.length > 5 && (
        <Field
          label={i18n._('Find by name or channel')}
          value={text}
          onValue={(typed) => onState({ ...FIRST_ROWS, text: typed })}
        />
      )}
      <p role="status" class="hint">
        {text.trim() !== '' &&
          i18n._('{count, plural, one {# webhook} other {# webhooks}}', { count: found.length })}
      </p>
      <ul class="rows">
        {found.slice(0, most).map((webhook) => (
          <li key={webhook.id} class="webhook-row">
            <WebhookPicture webhook={webhook} />
            <span class="webhook-words">
              <bdi class="webhook-name">{webhook.name}</bdi>
              <bdi class="quiet webhook-name">{`# ${nameOf(webhook.channel_id)}`}</bdi>
            </span>
            <a
              class="button"
              ref={webhook.id === focused ? row : null}
              href={hashOf('webhooks', webhook.id)}
              aria-label={i18n._('Open: {name}', { name: webhook.name })}
            >
              {i18n._('Open')}
            </a>
          </li>
        ))}
      </ul>
      {found.length > most && (
        <button type="button" onClick={() => onState({ text, most: most + STEP })}>
          {i18n._('Show more')}
        </button>
      )}
    </section>
  );
}
