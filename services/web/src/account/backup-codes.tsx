import type { BackupCode, CurrentUser, ListBackupCodesResponse } from '@gatehouse/proto/auth';
import { useEffect, useState } from 'preact/hooks';
import { call } from '../shared/api.ts';
import { Confirm } from '../shared/confirm.tsx';
import { withSudo } from '../shared/sudo.tsx';
import { ActionButton, Dialog } from '../shared/ui.tsx';
import { useAction } from '../shared/use-action.ts';
import { backupCodeFile } from './backup-code-file.ts';
import { CopyButton } from './copy-button.tsx';
import { Section } from './section.tsx';

function codesOf(body: object): Promise<readonly BackupCode[]> {
  const path = '/users/@me/mfa/backup-codes';
  return withSudo(async () => (await call<ListBackupCodesResponse>('POST', path, body)).backup_codes);
}

/** Of an account with a second factor. */
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
            const made = await codesOf({ regenerate: true });
            setReplacing(false);
            setCodes(made);
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

/** Shows codes to be kept somewhere else. */
export function CodesDialog(props: {
  title: string;
  account: string;
  codes: readonly BackupCode[];
  onClose: () => void;
}) {
  const { title, account, codes, onClose } = props;
  const text = backupCodeFile(account, codes);
  const left = codes.filter(({ consumed }) => !consumed).length;
  return (
    <Dialog title={title} onClose={onClose}>
      <p>
        {codes.length === 0
          ? 'You have none yet. Close this, and make new ones.'
          : `${left} of ${codes.length} are left. Keep them where you find them without your phone.`}
      </p>
      <ul class="codes">
        {codes.map(({ code, consumed }) => (
          <li key={code}>
            <code>{consumed ? <del>{code}</del> : code}</code>
            {consumed && ' used'}
          </li>
        ))}
      </ul>
      <div class="actions">
        <button type="button" class="primary" onClick={onClose}>
          Done
        </button>
        {left > 0 && <DownloadLink text={text} />}
        {left > 0 && <CopyButton text={text}>Copy all</CopyButton>}
      </div>
    </Dialog>
  );
}

/** The file is made on this page: the codes are never in a URL. */
function DownloadLink({ text }: { text: string }) {
  const [file, setFile] = useState<string>();
  useEffect(() => {
    const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
    setFile(url);
    return () => URL.revokeObjectURL(url);
  }, [text]);
  if (file === undefined) return null;
  return (
    <a class="button" href={file} download="gatehouse-backup-codes.txt">
      Download
    </a>
  );
}
