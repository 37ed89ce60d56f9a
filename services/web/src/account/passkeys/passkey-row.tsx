import type { WebauthnCredential } from '@gatehouse/proto/auth';
import { useState } from 'preact/hooks';
import { Ago } from '../../shared/ago.tsx';
import { call } from '../../shared/api/api.ts';
import { Confirm } from '../../shared/confirm.tsx';
import { i18n } from '../../shared/i18n/i18n.ts';
import { Trans } from '../../shared/i18n/trans.tsx';
import { withSudo } from '../../shared/sudo/sudo.tsx';
import { RenamePasskey } from './passkey-dialogs.tsx';
import { PASSKEYS } from './passkeys-path.ts';

/** Reloads the list, closes the dialog, and announces the change. */
export type OnChanged = (text: string, close: () => void) => Promise<void>;

/** A passkey in the list, with its actions. */
export function PasskeyRow({ passkey, onChanged }: { passkey: WebauthnCredential; onChanged: OnChanged }) {
  const [open, setOpen] = useState<'rename' | 'delete'>();
  const { name, created_at, last_used_at } = passkey;
  const close = () => setOpen(undefined);
  return (
    <li>
      <div>
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <p class="quiet">
          {last_used_at ? (
            <Trans
              id="Added {time}, last used {used}"
              values={{ time: <Ago time={created_at} />, used: <Ago time={last_used_at} /> }}
            />
          ) : (
            <Trans id="Added {time}, never used" values={{ time: <Ago time={created_at} /> }} />
          )}
        </p>
      </div>
      <div class="actions">
        <button
          type="button"
          aria-label={i18n._('Rename {name}', { name })}
          onClick={() => setOpen('rename')}
        >
          {i18n._('Rename')}
        </button>
        <button
          type="button"
          class="danger"
          aria-label={i18n._('Delete {name}', { name })}
          onClick={() => setOpen('delete')}
        >
          {i18n._('Delete')}
        </button>
      </div>
      {open === 'rename' && (
        <RenamePasskey
          passkey={passkey}
          onClose={close}
          onRenamed={(renamed) =>
            onChanged(i18n._('The passkey is called “{name}” now.', { name: renamed }), close)
          }
        />
      )}
      {open === 'delete' && <DeletePasskey passkey={passkey} onClose={close} onChanged={onChanged} />}
    </li>
  );
}

function DeletePasskey(props: { passkey: WebauthnCredential; onClose: () => void; onChanged: OnChanged }) {
  const { onClose, onChanged } = props;
  const { id, name } = props.passkey;
  return (
    <Confirm
      title={i18n._('Delete this passkey?')}
      submit={i18n._('Delete')}
      onClose={onClose}
      act={async () => {
        await withSudo(() => call('DELETE', `${PASSKEYS}/${encodeURIComponent(id)}`));
        await onChanged(i18n._('The passkey “{name}” is deleted.', { name }), onClose);
      }}
    >
      <p>
        <Trans
          id="You cannot sign in with “{name}” any more. If it is your only second factor, your password alone opens your account then, and your backup codes end."
          values={{ name: <bdi>{name}</bdi> }}
        />
      </p>
    </Confirm>
  );
}
