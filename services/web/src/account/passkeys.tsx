import type { WebauthnCredential } from '@gatehouse/proto/auth';
import { useState } from 'preact/hooks';
import { Ago } from '../shared/ago.tsx';
import { call } from '../shared/api.ts';
import { reloadCurrentUser } from '../shared/current-user.ts';
import { noPasskeysHere } from '../shared/passkeys.ts';
import { Ready } from '../shared/ready.tsx';
import { ensureSudo, withSudo } from '../shared/sudo.tsx';
import { ActionButton } from '../shared/ui.tsx';
import { useAction } from '../shared/use-action.ts';
import { useLoaded } from '../shared/use-loaded.ts';
import { Confirm } from './confirm.tsx';
import { AddPasskey, RenamePasskey } from './passkey-name.tsx';
import { PASSKEYS } from './passkeys-path.ts';
import { Section } from './section.tsx';

const MOST = 10;

export function Passkeys() {
  const [said, say] = useState<string>();
  const [isAdding, setAdding] = useState(false);
  const loaded = useLoaded(() => call<WebauthnCredential[]>('GET', PASSKEYS), []);
  const add = useAction(async () => {
    await ensureSudo();
    setAdding(true);
  });
  const done = async (words: string) => {
    await Promise.all([loaded.reload(), reloadCurrentUser()]);
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
            {noPasskeysHere ? (
              <p class="quiet">
                {noPasskeysHere.reason}{' '}
                {noPasskeysHere.instead && <a href={noPasskeysHere.instead}>Open this page on localhost</a>}
              </p>
            ) : passkeys.length < MOST ? (
              <ActionButton action={add}>Add a passkey</ActionButton>
            ) : (
              <p class="quiet">You have {MOST} passkeys, which is the most. Delete one to add another.</p>
            )}
          </>
        )}
      </Ready>
      {isAdding && (
        <AddPasskey
          onClose={() => setAdding(false)}
          onAdded={async (name) => {
            await done(`The passkey “${name}” is added.`);
            setAdding(false);
          }}
        />
      )}
    </Section>
  );
}

function Row({ passkey, done }: { passkey: WebauthnCredential; done: (words: string) => Promise<void> }) {
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
          onRenamed={async (renamed) => {
            await done(`The passkey is called “${renamed}” now.`);
            close();
          }}
        />
      )}
      {open === 'delete' && (
        <Confirm
          title="Delete this passkey?"
          submit="Delete"
          onClose={close}
          act={async () => {
            await withSudo(() => call('DELETE', `${PASSKEYS}/${encodeURIComponent(id)}`));
            await done(`The passkey “${name}” is deleted.`);
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
