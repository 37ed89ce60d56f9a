import type { Authorization } from '@gatehouse/proto/oauth2';
import { call } from '../shared/api/api.ts';
import { useLoaded } from '../shared/api/use-loaded.ts';
import { i18n } from '../shared/i18n/i18n.ts';
import { WhenLoaded } from '../shared/when-loaded.tsx';
import { AuthorizedApps } from './authorized-apps.tsx';
import type { OwnGuild } from './guilds/own-guild.ts';
import { Section } from './section.tsx';
import { useAnnouncement } from './use-announcement.ts';

/** The authorized applications of the user. `guilds` are undefined until they are loaded. */
export function Applications({ guilds = [] }: { guilds: readonly OwnGuild[] | undefined }) {
  const [announcement, announce] = useAnnouncement();
  const loaded = useLoaded(() => call<Authorization[]>('GET', '/oauth2/@me/authorizations'), []);
  return (
    <Section title={i18n._('Applications')} announcement={announcement}>
      <WhenLoaded loaded={loaded}>
        {(authorizations) =>
          authorizations.length === 0 ? (
            <p>{i18n._('You have allowed no application to use your account.')}</p>
          ) : (
            <AuthorizedApps
              authorizations={authorizations}
              guilds={guilds}
              onStale={loaded.reload}
              onRemoved={async (text) => {
                await loaded.reload();
                announce(text);
              }}
            />
          )
        }
      </WhenLoaded>
    </Section>
  );
}
