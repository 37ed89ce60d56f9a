import type { Authorization } from '@gatehouse/proto/oauth2';
import { call } from '../shared/api/api.ts';
import { useLoaded } from '../shared/api/use-loaded.ts';
import { WhenLoaded } from '../shared/when-loaded.tsx';
import { AuthorizedApps } from './authorized-apps.tsx';
import { Section } from './section.tsx';
import { useAnnouncement } from './use-announcement.ts';

/** The authorized applications of the user. */
export function Applications() {
  const [announcement, announce] = useAnnouncement();
  const loaded = useLoaded(() => call<Authorization[]>('GET', '/oauth2/@me/authorizations'), []);
  return (
    <Section title="Applications" announcement={announcement}>
      <WhenLoaded loaded={loaded}>
        {(authorizations) =>
          authorizations.length === 0 ? (
            <p>You have allowed no application to use your account.</p>
          ) : (
            <AuthorizedApps
              authorizations={authorizations}
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
