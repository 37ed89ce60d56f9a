import { useEffect, useRef, useState } from 'preact/hooks';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { WhenLoaded } from '../../shared/when-loaded.tsx';
import { currentView } from '../current-view.ts';
import { callForTab, type ManagedGuild } from '../managed-guild.ts';
import { hashOf } from '../route.ts';
import { KeepPayloads } from './keep-payloads.tsx';
import { NewWebhook } from './new-webhook.tsx';
import { channelsForWebhooks, type Webhook, type WebhookChannel } from './webhook.ts';
import { WebhookDetails } from './webhook-details.tsx';
import { FIRST_ROWS, WebhookList } from './webhook-list.tsx';

interface Contents {
  readonly webhooks: readonly Webhook[];
  readonly channels: readonly WebhookChannel[];
}

/** The webhooks of a guild that the account may manage. */
export function WebhooksTab({ guild }: { guild: Pick<ManagedGuild, 'id' | 'permissions'> }) {
  const loaded = useLoaded(() => load(guild.id), [guild.id]);
  return (
    <WhenLoaded loaded={loaded}>
      {(contents) => <Webhooks guild={guild} contents={contents} onContents={loaded.replace} />}
    </WhenLoaded>
  );
}

async function load(guild_id: string): Promise<Contents> {
  const [webhooks, channels] = await Promise.all([
    callForTab<Webhook[]>('GET', `/guilds/${guild_id}/webhooks`),
    callForTab<WebhookChannel[]>('GET', `/guilds/${guild_id}/channels`),
  ]);
  return { webhooks, channels: channelsForWebhooks(channels) };
}

function Webhooks(props: {
  guild: Pick<ManagedGuild, 'id' | 'permissions'>;
  contents: Contents;
  onContents: (contents: Contents) => void;
}) {
  const { guild, contents, onContents } = props;
  const { webhooks, channels } = contents;
  const { part } = currentView.value;
  const shown = webhooks.find(({ id }) => id === part);
  // The webhook that was open last: the list moves the focus to its row.
  const left = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (shown) left.current = shown.id;
  }, [shown?.id]);
  const [list, setList] = useState(FIRST_ROWS);
  const names = new Map(channels.map(({ id, name }) => [id, name ?? '']));
  const nameOf = (channel_id: string) => names.get(channel_id) ?? channel_id;
  const change = (changed: Webhook) =>
    onContents({ channels, webhooks: webhooks.map((each) => (each.id === changed.id ? changed : each)) });
  if (shown !== undefined) {
    return (
      <WebhookDetails
        key={shown.id}
        guild_id={guild.id}
        webhook={shown}
        channels={channels}
        onChange={change}
        onDeleted={() => {
          onContents({ channels, webhooks: webhooks.filter(({ id }) => id !== shown.id) });
          // The back button does not lead to a deleted webhook.
          location.replace(hashOf('webhooks'));
        }}
      />
    );
  }
  return (
    <>
      <NewWebhook
        channels={channels}
        onCreated={(created) => {
          onContents({ channels, webhooks: [...webhooks, created] });
          location.hash = hashOf('webhooks', created.id);
        }}
      />
      <WebhookList
        webhooks={webhooks}
        nameOf={nameOf}
        focused={left.current}
        state={list}
        onState={setList}
      />
      <KeepPayloads guild={guild} />
    </>
  );
}
