import { Button } from '@gatehouse/web/shared/ui/button.tsx';
import { Copyable } from '@gatehouse/web/shared/ui/copyable.tsx';
import { Dialog } from '@gatehouse/web/shared/ui/dialog.tsx';

/** What an operator begins with; the server shows it once. */
export interface OneTimeSecrets {
  readonly name: string;
  readonly link?: string | null | undefined;
  readonly token?: string | null | undefined;
}

/** Shows a one-time link and a token for the command line, once. */
export function SecretsDialog({ secrets, onClose }: { secrets: OneTimeSecrets; onClose: () => void }) {
  const { name, link, token } = secrets;
  return (
    <Dialog title={`For ${name}, shown once`} onClose={onClose}>
      {link && (
        <>
          <p>Send this link to the operator. It works once, within an hour.</p>
          <Copyable label="One-time link" text={link} />
        </>
      )}
      {token && (
        <>
          <p>
            The token for the command line, as <code>GATEHOUSE_TOKEN</code>:
          </p>
          <Copyable label="Token" text={token} isMasked />
        </>
      )}
      <div class="actions">
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}
