import type { GetBotPresenceResponse } from '@gatehouse/proto/oauth2';
import { call } from '../../shared/api/api.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { i18n } from '../../shared/i18n/i18n.ts';
import { Skeleton } from '../../shared/ui/skeleton.tsx';
import { WhenLoaded } from '../../shared/when-loaded.tsx';

/** Whether a program is connected with the bot's token. */
export function BotPresence({ application_id }: { application_id: string }) {
  const path = `/oauth2/applications/${application_id}/bot/presence`;
  const loaded = useLoaded(() => call<GetBotPresenceResponse>('GET', path), [path]);
  return (
    <WhenLoaded loaded={loaded} skeleton={<Skeleton lines={1} />}>
      {({ status }) => (
        <p class="actions links">
          <span role="status">{presenceText(status)}</span>
          <button type="button" class="plain" onClick={() => void loaded.reload()}>
            {i18n._('Look again')}
          </button>
        </p>
      )}
    </WhenLoaded>
  );
}

function presenceText(status: string): string {
  switch (status) {
    case 'online':
      return i18n._('Online: a program is connected to the Gateway with the token of the bot.');
    case 'offline':
      return i18n._('Offline: no program is connected to the Gateway with the token of the bot.');
    default:
      return i18n._('It is unknown whether the bot is online: the Gateway does not answer.');
  }
}
