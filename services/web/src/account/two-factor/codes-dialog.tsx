import type { BackupCode } from '@gatehouse/proto/auth';
import { useEffect, useState } from 'preact/hooks';
import { formatNumber } from '../../shared/i18n/format.ts';
import { i18n } from '../../shared/i18n/i18n.ts';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { backupCodeFile } from './backup-code-file.ts';
import { CopyButton } from './copy-button.tsx';

/** Shows backup codes to copy or save. */
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
          ? i18n._('You have none yet. Close this dialog and make new ones.')
          : i18n._('{left} of {total} are left. Keep them where you can find them without your phone.', {
              left: formatNumber(left),
              total: formatNumber(codes.length),
            })}
      </p>
      <ul class="codes">
        {codes.map(({ code, consumed }) => (
          <li key={code}>
            <code>{consumed ? <del>{code}</del> : code}</code>
            {consumed && ` ${i18n._('used')}`}
          </li>
        ))}
      </ul>
      <div class="actions">
        <button type="button" class="primary" onClick={onClose}>
          {i18n._('Done')}
        </button>
        {left > 0 && <DownloadLink text={text} />}
        {left > 0 && <CopyButton text={text}>{i18n._('Copy all')}</CopyButton>}
      </div>
    </Dialog>
  );
}

/** The file is created on this page, so the codes are never in a URL. */
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
      {i18n._('Download')}
    </a>
  );
}
