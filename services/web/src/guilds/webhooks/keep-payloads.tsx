import { useAction } from '../../shared/api/use-action.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { i18n } from '../../shared/i18n/i18n.ts';
import { ADMINISTRATOR, MANAGE_GUILD, readPermissions } from '../../shared/permissions.ts';
import { ActionButton } from '../../shared/ui/action-button.tsx';
import { WhenLoaded } from '../../shared/when-loaded.tsx';
import { callForTab, type ManagedGuild } from '../managed-guild.ts';
import { type GuildWebhookSettings, settingsPath } from './webhook.ts';

/** The setting that keeps payloads, so that deliveries can be sent again. */
export function KeepPayloads({ guild }: { guild: Pick<ManagedGuild, 'id' | 'permissions'> }) {
  const path = settingsPath(guild.id);
  const loaded = useLoaded(() => callForTab<GuildWebhookSettings>('GET', path), [guild.id]);
  const change = useAction(async () => {
    const keep_payloads = loaded.value?.keep_payloads !== true;
    loaded.replace(await callForTab<GuildWebhookSettings>('PATCH', path, { keep_payloads }));
  });
  const mayChange = ((readPermissions(guild.permissions) ?? 0n) & (MANAGE_GUILD | ADMINISTRATOR)) !== 0n;
  return (
    <section class="card">
      <h2>{i18n._('Send deliveries again')}</h2>
      <p>
        {i18n._(
          'A delivery can be sent again if what was sent is kept: for 24 hours, at most 64 KiB of each delivery and 100 deliveries of a webhook. Nobody can read it here. Switching this off deletes all of it at once.',
        )}
      </p>
      <WhenLoaded loaded={loaded}>
        {({ keep_payloads }) => (
          <>
            <p role="status">
              {keep_payloads
                ? i18n._('On: the webhooks of this guild keep what is sent to them.')
                : i18n._('Off: nothing is kept.')}
            </p>
            {mayChange ? (
              <ActionButton action={change}>
                {keep_payloads ? i18n._('Switch off') : i18n._('Switch on')}
              </ActionButton>
            ) : (
              <p class="hint">{i18n._('Changing it needs the permission to manage the guild.')}</p>
            )}
          </>
        )}
      </WhenLoaded>
    </section>
  );
}
