import type { BackupCode, CurrentUser, WebauthnCredential } from '@gatehouse/proto/auth';
import { useState } from 'preact/hooks';
import { call } from '../../shared/api/api.ts';
import { reloadCurrentUser } from '../../shared/api/current-user.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { formatNumber } from '../../shared/i18n/format.ts';
import { i18n } from '../../shared/i18n/i18n.ts';
import { passkeyObstacleHere } from '../../shared/passkey.ts';
import { ensureSudo } from '../../shared/sudo/sudo.tsx';
import { ActionButton } from '../../shared/ui/action-button.tsx';
import { WhenLoaded } from '../../shared/when-loaded.tsx';
import { Section } from '../section.tsx';
import { CodesDialog } from '../two-factor/codes-dialog.tsx';
import { useAnnouncement } from '../use-announcement.ts';
import { onLocalhost } from './on-localhost.ts';
import { AddPasskey } from './passkey-dialogs.tsx';
import { type OnChanged, PasskeyRow } from './passkey-row.tsx';
import { PASSKEYS } from './passkeys-path.ts';

const MAX_PASSKEYS = 10;

/** The backup codes that come with a first passkey, and the announcement to make after their dialog. */
interface FirstCodes {
  readonly codes: readonly BackupCode[];
  readonly text: string;
}

export function Passkeys({ user }: { user: CurrentUser }) {
  const [announcement, announce] = useAnnouncement();
  const [isAdding, setAdding] = useState(false);
  const [first, setFirst] = useState<FirstCodes>();
  const loaded = useLoaded(() => call<WebauthnCredential[]>('GET', PASSKEYS), []);
  const onChanged: OnChanged = async (text, close) => {
    await Promise.all([loaded.reload(), reloadCurrentUser()]);
    close(); // first, because an open dialog would keep the focus from the announcement
    announce(text);
  };
  return (
    <Section title={i18n._('Passkeys')} announcement={announcement}>
      <p>
        {i18n._(
          'With a passkey you sign in by fingerprint, face, PIN or security key. It cannot be guessed or phished.',
        )}
      </p>
      <WhenLoaded loaded={loaded}>
        {(passkeys) => (
          <>
            {passkeys.length > 0 && (
              <ul class="rows">
                {passkeys.map((passkey) => (
                  <PasskeyRow key={passkey.id} passkey={passkey} onChanged={onChanged} />
                ))}
              </ul>
            )}
            <AddPasskeyButton count={passkeys.length} onAdd={() => setAdding(true)} />
          </>
        )}
      </WhenLoaded>
      {isAdding && (
        <AddPasskey
          onClose={() => setAdding(false)}
          onAdded={async ({ name, backup_codes: codes }) => {
            const text = i18n._('The passkey “{name}” is added.', { name });
            if (!codes?.length) return onChanged(text, () => setAdding(false));
            setAdding(false);
            setFirst({ codes, text });
          }}
        />
      )}
      {first && (
        <CodesDialog
          title={i18n._('Keep your backup codes')}
          account={user.username}
          codes={first.codes}
          onClose={() => void onChanged(first.text, () => setFirst(undefined))}
        />
      )}
    </Section>
  );
}

/** The button to add a passkey, or the reason why there is none. */
function AddPasskeyButton({ count, onAdd }: { count: number; onAdd: () => void }) {
  const action = useAction(async () => {
    await ensureSudo();
    onAdd();
  });
  const obstacle = passkeyObstacleHere();
  const instead = onLocalhost(location);
  if (obstacle !== undefined)
    return (
      <p class="quiet">
        {obstacle} {instead && <a href={instead}>{i18n._('Open it on localhost')}</a>}
      </p>
    );
  if (count >= MAX_PASSKEYS)
    return (
      <p class="quiet">
        {i18n._('You have {count} passkeys, the maximum. Delete one to add another.', {
          count: formatNumber(MAX_PASSKEYS),
        })}
      </p>
    );
  return <ActionButton action={action}>{i18n._('Add a passkey')}</ActionButton>;
}
