import { useLoaded } from '../../shared/api/use-loaded.ts';
import { Trans } from '../../shared/i18n/trans.tsx';
import { callForTab } from '../managed-guild.ts';
import { hashOf } from '../route.ts';
import { type GuildWebhookSettings, settingsPath } from './webhook.ts';

/** For a guild that keeps no payloads: why no delivery can be sent again, and where the setting is. */
export function NothingKept({ guild_id }: { guild_id: string }) {
  const loaded = useLoaded(() => callForTab<GuildWebhookSettings>('GET', settingsPath(guild_id)), [guild_id]);
  if (loaded.value?.keep_payloads !== false) return null;
  return (
    <p class="quiet delivery-note">
      <Trans
        id="No delivery can be sent again, because this guild keeps no payloads. The switch is <0>below the list of webhooks</0>."
        components={[
          // biome-ignore lint/a11y/useAnchorContent: the text is that of the message
          <a key="list" href={hashOf('webhooks')} />,
        ]}
      />
    </p>
  );
}
