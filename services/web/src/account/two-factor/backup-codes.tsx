import type { BackupCode, CurrentUser, ListBackupCodesResponse } from '@gatehouse/proto/auth';
import { useState } from 'preact/hooks';
import { call } from '../../shared/api/api.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { Confirm } from '../../shared/confirm.tsx';
import { i18n } from '../../shared/i18n/i18n.ts';
import { withSudo } from '../../shared/sudo/sudo.tsx';
import { ActionButton } from '../../shared/ui/action-button.tsx';
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
    <Section title={i18n._('Backup codes')}>
      <p>{i18n._('If you lose your phone or your passkey, a backup code lets you in. Each works once.')}</p>
      <div class="actions">
        <ActionButton action={show}>{i18n._('Show the codes')}</ActionButton>
        <button type="button" onClick={() => setReplacing(true)}>
          {i18n._('Make new ones')}
        </button>
      </div>
      {isReplacing && (
        <Confirm
          title={i18n._('Make new backup codes?')}
          submit={i18n._('Make new ones')}
          onClose={() => setReplacing(false)}
          act={async () => {
            const newCodes = await codesOf({ regenerate: true });
            setReplacing(false);
            setCodes(newCodes);
          }}
        >
          <p>{i18n._('The codes that you have now stop working.')}</p>
        </Confirm>
      )}
      {codes && (
        <CodesDialog
          title={i18n._('Your backup codes')}
          account={user.username}
          codes={codes}
          onClose={() => setCodes(undefined)}
        />
      )}
    </Section>
  );
}
