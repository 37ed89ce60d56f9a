import type { Session } from '@gatehouse/proto/auth';
import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { Ago } from '../shared/ago.tsx';
import { call } from '../shared/api/api.ts';
import { useAction } from '../shared/api/use-action.ts';
import { useLoaded } from '../shared/api/use-loaded.ts';
import { Confirm } from '../shared/confirm.tsx';
import { ActionButton } from '../shared/ui.tsx';
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
    <Section title="Devices" announcement={announcement}>
      <p>Your account is signed in here. Sign out the devices that you do not know or no longer use.</p>
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
                  Show all {sessions.length}
                </button>
              )}
              {sessions.length > 1 && (
                <button type="button" class="danger" onClick={() => setEnding(true)}>
                  Sign out all others
                </button>
              )}
            </div>
          </>
        )}
      </WhenLoaded>
      {isEnding && (
        <Confirm
          title="Sign out all others?"
          submit="Sign out all others"
          onClose={() => setEnding(false)}
          act={() => end({ others: true }, 'All other devices are signed out.')}
        >
          <p>Only this device stays signed in.</p>
        </Confirm>
      )}
    </Section>
  );
}

function Row(props: { session: Session; end: (body: object, text: string) => Promise<void> }) {
  const { session, end } = props;
  const name = deviceName(session);
  const action = useAction(() => end({ session_id_hashes: [session.id_hash] }, `${name} is signed out.`));
  return (
    <li>
      <div>
        <strong>{name}</strong> {session.current && <span class="badge">This device</span>}
        <p class="quiet">
          {session.masked_ip && `Signed in from ${session.masked_ip}, `}
          {session.masked_ip ? 'last used ' : 'Last used '}
          <Ago time={session.approx_last_used_at} />
        </p>
      </div>
      {!session.current && (
        <div>
          <ActionButton action={action} label={`Sign out ${name}`}>
            Sign out
          </ActionButton>
        </div>
      )}
    </li>
  );
}
