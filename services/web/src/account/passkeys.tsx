import type { WebauthnCredential } from '@gatehouse/proto/auth';
import { useState } from 'preact/hooks';
import { Ago } from '../shared/ago.tsx';
import { call } from '../shared/api.ts';
import { Confirm } from '../shared/confirm.tsx';
import { reloadCurrentUser } from '../shared/current-user.ts';
import { passkeyObstacleHere } from '../shared/passkey.ts';
import { Ready } from '../shared/ready.tsx';
import { ensureSudo, withSudo } from '../shared/sudo.tsx';
import { ActionButton } from '../shared/ui.tsx';
import { useAction } from '../shared/use-action.ts';
import { useLoaded } from '../shared/use-loaded.ts';
import { onLocalhost } from './on-localhost.ts';
import { AddPasskey, RenamePasskey } from './passkey-name.tsx';
import { PASSKEYS } from './passkeys-path.ts';
import { Section } from './section.tsx';
import { useSaid } from './use-said.ts';

const MOST = 10;

/** Shows how things are now, closes the dialog, and says what was done. */
type Done = (words: string, close: () => void) => Promise<void>;

export function Passkeys() {
  const [said, say] = useSaid();
  const [isAdding, setAdding] = useState(false);
  const loaded = useLoaded(() => call<WebauthnCredential[]>('GET', PASSKEYS), []);
  const done: Done = async (words, close) => {
    await Promise.all([loaded.reload(), reloadCurrentUser()]);
    close(); // before: what is said takes the focus, which an open dialog would keep
    say(words);
  };
  return (
    <Section title="Passkeys" said={said}>
      <p>
        With a passkey you sign in by fingerprint, face, PIN or security key. It cannot be guessed or phished.
      </p>
      <Ready loaded={loaded}>
        {(passkeys) => (
          <>
            {passkeys.length > 0 && (
              <ul class="rows">
                {passkeys.map((passkey) => (
                  <Row key={passkey.id} passkey={passkey} done={done} />
                ))}
              </ul>
            )}
            <Adding count={passkeys.length} onAdd={() => setAdding(true)} />
          </>
        )}
      </Ready>
      {isAdding && (
        <AddPasskey
          onClose={() => setAdding(false)}
          onAdded={(name) => done(`The passkey “${name}” is added.`, () => setAdding(false))}
        />
      )}
    </Section>
  );
}

/** The button, or why there is none. */
function Adding({ count, onAdd }: { count: number; onAdd: () => void }) {
  const action = useAction(async () => {
    await ensureSudo();
    onAdd();
  });
  const obstacle = passkeyObstacleHere();
  const instead = onLocalhost(location);
  if (obstacle !== undefined)
    return (
      <p class="quiet">
        {obstacle} {instead && <a href={instead}>Open it on localhost</a>}
      </p>
    );
  if (count >= MOST)
    return <p class="quiet">You have {MOST} passkeys, which is the most. Delete one to add another.</p>;
  return <ActionButton action={action}>Add a passkey</ActionButton>;
}

function Row({ passkey, done }: { passkey: WebauthnCredential; done: Done }) {
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
          onRenamed={(renamed) => done(`The passkey is called “${renamed}” now.`, close)}
        />
      )}
      {open === 'delete' && (
        <Confirm
          title="Delete this passkey?"
          submit="Delete"
          onClose={close}
          act={async () => {
            await withSudo(() => call('DELETE', `${PASSKEYS}/${encodeURIComponent(id)}`));
            await done(`The passkey “${name}” is deleted.`, close);
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
