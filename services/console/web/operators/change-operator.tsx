import type { Operator } from '@gatehouse/proto/console';
import { useAction } from '@gatehouse/web/shared/api/use-action.ts';
import { Confirm } from '@gatehouse/web/shared/confirm.tsx';
import { Dialog } from '@gatehouse/web/shared/ui/dialog.tsx';
import { Form } from '@gatehouse/web/shared/ui/form.tsx';
import { showToast } from '@gatehouse/web/shared/ui/toast.tsx';
import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { ROLES } from '../api/roles.ts';
import type { OperatorDialogProps } from './add-operator.tsx';
import { RoleSelect } from './role-select.tsx';
import type { OneTimeSecrets } from './secrets-dialog.tsx';

type Props = OperatorDialogProps & { readonly operator: Operator };
type Question = 'link' | 'token' | 'remove';

/** Changes the role of an operator, renews how they sign in, or removes them. */
export function ChangeOperator(props: Props) {
  const { operator, onClose } = props;
  const [question, setQuestion] = useState<Question>();
  if (question) return <Asked {...props} question={question} />;
  return (
    <Dialog title={`Change ${operator.name}`} onClose={onClose}>
      <RoleForm {...props} />
      <hr />
      <div class="actions">
        <button type="button" onClick={() => setQuestion('link')}>
          New link
        </button>
        <button type="button" onClick={() => setQuestion('token')}>
          New token
        </button>
        <button type="button" class="danger" onClick={() => setQuestion('remove')}>
          Remove
        </button>
      </div>
    </Dialog>
  );
}

function RoleForm({ operator, onClose, onDone }: Props) {
  const [role, setRole] = useState(ROLES.find((one) => one === operator.role) ?? 'read');
  const action = useAction(async () => {
    await call('PATCH', pathOf(operator), { role });
    showToast(`${operator.name} has the role ${role}.`);
    onClose();
    onDone();
  });
  return (
    <Form action={action} submit="Change the role" onCancel={onClose}>
      <RoleSelect role={role} setRole={setRole} problem={action.problemOf('role')} />
    </Form>
  );
}

/** The confirmation of a change that takes something away. */
function Asked({ operator, question, onClose, onDone, showSecrets }: Props & { question: Question }) {
  const { title, submit, text } = textsOf(question, operator.name);
  const act = async () => {
    if (question === 'remove') {
      await call('DELETE', pathOf(operator));
      showToast(`${operator.name} is removed.`);
    } else {
      const body = question === 'link' ? { new_link: true } : { new_token: true };
      const made = await call<OneTimeSecrets>('PATCH', pathOf(operator), body);
      showSecrets({ ...made, name: operator.name });
    }
    onClose();
    onDone();
  };
  return (
    <Confirm title={title} submit={submit} act={act} onClose={onClose}>
      <p>{text}</p>
    </Confirm>
  );
}

function textsOf(question: Question, name: string): { title: string; submit: string; text: string } {
  switch (question) {
    case 'link':
      return {
        title: `Make a new link for ${name}?`,
        submit: 'Make a link',
        text: 'Their passkeys and their authenticator app are removed, and their sessions end. With the link they set up a new one.',
      };
    case 'token':
      return {
        title: `Make a new token for ${name}?`,
        submit: 'Make a token',
        text: 'Their present token for the command line ends at once.',
      };
    case 'remove':
      return {
        title: `Remove ${name}?`,
        submit: 'Remove',
        text: 'Their sessions and their token end at once. Their lines in the log stay.',
      };
  }
}

function pathOf({ name }: Operator): string {
  return `/operators/${encodeURIComponent(name)}`;
}
