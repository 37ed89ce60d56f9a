import type { WebauthnCredential } from '@gatehouse/proto/auth';
import { useState } from 'preact/hooks';
import { call } from '../../shared/api/api.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { i18n } from '../../shared/i18n/i18n.ts';
import { withSudo } from '../../shared/sudo/sudo.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Field } from '../../shared/ui/field.tsx';
import { Form } from '../../shared/ui/form.tsx';
import { createPasskey } from './create-passkey.ts';
import { PASSKEYS } from './passkeys-path.ts';

/** Asks for a name, then shows the browser's dialog. */
export function AddPasskey(props: {
  onClose: () => void;
  onAdded: (created: WebauthnCredential) => Promise<void>;
}) {
  const { onClose, onAdded } = props;
  const [name, setName] = useState('');
  const action = useAction(async () => {
    const response = await createPasskey();
    const created = await withSudo(() =>
      call<WebauthnCredential>('POST', PASSKEYS, { name: name.trim() || i18n._('Passkey'), response }),
    );
    await onAdded(created);
  });
  return (
    <Dialog title={i18n._('Add a passkey')} onClose={onClose}>
      <Form action={action} submit={i18n._('Continue')} onCancel={onClose}>
        <Field
          label={i18n._('Name')}
          hint={i18n._('To recognize it later, such as “Work laptop”. Your browser asks for the rest.')}
          value={name}
          onValue={setName}
          problem={action.problemOf('name')}
        />
      </Form>
    </Dialog>
  );
}

export function RenamePasskey(props: {
  passkey: WebauthnCredential;
  onClose: () => void;
  onRenamed: (name: string) => Promise<void>;
}) {
  const { passkey, onClose, onRenamed } = props;
  const [name, setName] = useState(passkey.name);
  const action = useAction(async () => {
    const path = `${PASSKEYS}/${encodeURIComponent(passkey.id)}`;
    await onRenamed((await call<WebauthnCredential>('PATCH', path, { name })).name);
  });
  return (
    <Dialog title={i18n._('Rename this passkey')} onClose={onClose}>
      <Form action={action} submit={i18n._('Rename')} onCancel={onClose}>
        <Field label={i18n._('Name')} value={name} onValue={setName} problem={action.problemOf('name')} />
      </Form>
    </Dialog>
  );
}
