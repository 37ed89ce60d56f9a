import { useAction } from '@gatehouse/web/shared/api/use-action.ts';
import { Checkbox } from '@gatehouse/web/shared/ui/checkbox.tsx';
import { Dialog } from '@gatehouse/web/shared/ui/dialog.tsx';
import { Field } from '@gatehouse/web/shared/ui/field.tsx';
import { Form } from '@gatehouse/web/shared/ui/form.tsx';
import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import type { Role } from '../api/roles.ts';
import { RoleSelect } from './role-select.tsx';
import type { OneTimeSecrets } from './secrets-dialog.tsx';

export interface OperatorDialogProps {
  readonly onClose: () => void;
  readonly onDone: () => unknown;
  readonly showSecrets: (secrets: OneTimeSecrets) => void;
}

/** Adds an operator, and shows their one-time link. */
export function AddOperator({ onClose, onDone, showSecrets }: OperatorDialogProps) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('read');
  const [with_token, setWithToken] = useState(false);
  const action = useAction(async () => {
    const made = await call<OneTimeSecrets>('POST', '/operators', { name: name.trim(), role, with_token });
    onClose();
    showSecrets({ ...made, name: name.trim() });
    onDone();
  });
  return (
    <Dialog title="Add an operator" onClose={onClose}>
      <Form action={action} submit="Add" onCancel={onClose}>
        <Field
          label="Name"
          value={name}
          onValue={setName}
          hint="a to z, 0 to 9, “.”, “_” and “-”. It is in every line of the log."
          problem={action.problemOf('name')}
        />
        <RoleSelect role={role} setRole={setRole} problem={action.problemOf('role')} />
        <Checkbox
          label="Also make a token for the command line"
          checked={with_token}
          onChecked={setWithToken}
        />
      </Form>
    </Dialog>
  );
}
