import type { WebauthnCredential } from '@gatehouse/proto/auth';
import { useState } from 'preact/hooks';
import { Ago } from '../../shared/ago.tsx';
import { call } from '../../shared/api/api.ts';
import { Confirm } from '../../shared/confirm.tsx';
import { withSudo } from '../../shared/sudo/sudo.tsx';
import { RenamePasskey } from './passkey-dialogs.tsx';
import { PASSKEYS } from './passkeys-path.ts';

/** Reloads the list, closes the dialog, and announces the change. */
export type OnChanged = (text: string, close: () => void) => Promise<void>;

/** A passkey in the list, with its actions. */
export function PasskeyRow({ passkey, onChanged }: { passkey: WebauthnCredential; onChanged: OnChanged }) {
  const [open, setOpen] = useState<'rename' | 'delete'>();
  const { id, name, created_at, last_used_at } = passkey;
  const close = () => setOpen(undefined);
  return (
    <li>
      <div>
        <strong>{name}</strong>
        <p class="quiet">
          Added <Ago time={created_at} />
          {last_used_at ? ', last used ' : ', never used'}
          {last_used_at && <Ago time={last_used_at} />}
        </p>
      </div>
      <div class="actions">
        <button type="button" aria-label={`Rename ${name}`} onClick={() => setOpen('rename')}>
          Rename
        </button>
        <button type="button" class="danger" aria-label={`Delete ${name}`} onClick={() => setOpen('delete')}>
          Delete
        </button>
      </div>
      {open === 'rename' && (
        <RenamePasskey
          passkey={passkey}
          onClose={close}
          onRenamed={(renamed) => onChanged(`The passkey is called “${renamed}” now.`, close)}
        />
      )}
      {open === 'delete' && (
        <Confirm
          title="Delete this passkey?"
          submit="Delete"
          onClose={close}
          act={async () => {
            await withSudo(() => call('DELETE', `${PASSKEYS}/${encodeURIComponent(id)}`));
            await onChanged(`The passkey “${name}” is deleted.`, close);
          }}
        >
          <p>
            You cannot sign in with “{name}” any more. If it is your only second factor, your password alone
            opens your account then, and your backup codes end.
          </p>
        </Confirm>
      )}
    </li>
  );
}
