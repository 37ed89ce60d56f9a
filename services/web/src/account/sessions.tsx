import type { Session } from '@gatehouse/proto/auth';
import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { Ago } from '../shared/ago.tsx';
import { call } from '../shared/api/api.ts';
import { useAction } from '../shared/api/use-action.ts';
import { useLoaded } from '../shared/api/use-loaded.ts';
import { Confirm } from '../shared/confirm.tsx';
import { formatNumber } from '../shared/i18n/format.ts';
import { i18n } from '../shared/i18n/i18n.ts';
import { Trans } from '../shared/i18n/trans.tsx';
import { ActionButton } from '../shared/ui/action-button.tsx';
import { WhenLoaded } from '../shared/when-loaded.tsx';
import { currentFirst, deviceName } from './device-name.ts';
import { Section } from './section.tsx';
import { useAnnouncement } from './use-announcement.ts';

const SHOWN_AT_FIRST = 8;
/** Incremented when another part of the page may have ended sessions. */
const changes = signal(0);

export function reloadSessions(): void {
  changes.value += 1;
}

export function Sessions() {
  const [announcement, announce] = useAnnouncement();
  const [isEnding, setEnding] = useState(false);
  const [showsAll, setShowsAll] = useState(false);
  const loaded = useLoaded(() => call<Session[]>('GET', '/auth/sessions'), [changes.value]);
  const end = async (body: object, text: string) => {
    await call('POST', '/auth/sessions/logout', body);
    await loaded.reload();
    setEnding(false);
    announce(text);
  };
  return (
    <Section title={i18n._('Devices')} anchor="devices" announcement={announcement}>
      <p>
        {i18n._(
          'Your account is signed in here. Sign out the devices that you do not know or no longer use.',
        )}
      </p>
      <WhenLoaded loaded={loaded}>
        {(sessions) => (
          <>
            <ul class="rows">
              {currentFirst(sessions)
                .slice(0, showsAll ? undefined : SHOWN_AT_FIRST)
                .map((session) => (
                  <Row key={session.id_hash} session={session} end={end} />
                ))}
            </ul>
            <div class="actions">
              {!showsAll && sessions.length > SHOWN_AT_FIRST && (
                <button type="button" onClick={() => setShowsAll(true)}>
                  {i18n._('Show all {count}', { count: formatNumber(sessions.length) })}
                </button>
              )}
              {sessions.length > 1 && (
                <button type="button" class="danger" onClick={() => setEnding(true)}>
                  {i18n._('Sign out all others')}
                </button>
              )}
            </div>
          </>
        )}
      </WhenLoaded>
      {isEnding && (
        <Confirm
          title={i18n._('Sign out all others?')}
          submit={i18n._('Sign out all others')}
          onClose={() => setEnding(false)}
          act={() => end({ others: true }, i18n._('All other devices are signed out.'))}
        >
          <p>{i18n._('Only this device stays signed in.')}</p>
        </Confirm>
      )}
    </Section>
  );
}

function Row(props: { session: Session; end: (body: object, text: string) => Promise<void> }) {
  const { session, end } = props;
  const name = deviceName(session);
  const time = <Ago time={session.approx_last_used_at} />;
  const action = useAction(() =>
    end({ session_id_hashes: [session.id_hash] }, i18n._('{name} is signed out.', { name })),
  );
  return (
    <li>
      <div>
        <strong>{name}</strong> {session.current && <span class="badge">{i18n._('This device')}</span>}
        <p class="quiet">
          {session.masked_ip ? (
            <Trans
              id="Signed in from {ip}, last used {time}"
              values={{ ip: <bdi>{session.masked_ip}</bdi>, time }}
            />
          ) : (
            <Trans id="Last used {time}" values={{ time }} />
          )}
        </p>
      </div>
      {!session.current && (
        <div>
          <ActionButton action={action} label={i18n._('Sign out {name}', { name })}>
            {i18n._('Sign out')}
          </ActionButton>
        </div>
      )}
    </li>
  );
}
