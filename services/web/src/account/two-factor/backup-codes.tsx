import type { BackupCode, CurrentUser, ListBackupCodesResponse } from '@gatehouse/proto/auth';
import { useState } from 'preact/hooks';
import { call } from '../../shared/api/api.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { Confirm } from '../../shared/confirm.tsx';
import { withSudo } from '../../shared/sudo/sudo.tsx';
import { ActionButton } from '../../shared/ui.tsx';
import { Section } from '../section.tsx';
import { CodesDialog } from './codes-dialog.tsx';

function codesOf(body: object): Promise<readonly BackupCode[]> {
  const path = '/users/@me/mfa/backup-codes';
  return withSudo(async () => (await call<ListBackupCodesResponse>('POST', path, body)).backup_codes);
}

/** For accounts with a second factor. */
export function BackupCodes({ user }: { user: CurrentUser }) {
  const [codes, setCodes] = useState<readonly BackupCode[]>();
  const [isReplacing, setReplacing] = useState(false);
  const show = useAction(async () => setCodes(await codesOf({})));
  return (
    <Section title="Backup codes">
      <p>If you lose your phone or your passkey, a backup code lets you in. Each works once.</p>
      <div class="actions">
        <ActionButton action={show}>Show the codes</ActionButton>
        <button type="button" onClick={() => setReplacing(true)}>
          Make new ones
        </button>
      </div>
      {isReplacing && (
        <Confirm
          title="Make new backup codes?"
          submit="Make new ones"
          onClose={() => setReplacing(false)}
          act={async () => {
            const newCodes = await codesOf({ regenerate: true });
            setReplacing(false);
            setCodes(newCodes);
          }}
        >
          <p>The codes that you have now stop working.</p>
        </Confirm>
      )}
      {codes && (
        <CodesDialog
          title="Your backup codes"
          account={user.username}
          codes={codes}
          onClose={() => setCodes(undefined)}
        />
      )}
    </Section>
  );
}
