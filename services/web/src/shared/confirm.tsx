import type { ComponentChildren } from 'preact';
import { useAction } from './api/use-action.ts';
import { Dialog } from './ui/dialog.tsx';
import { Form } from './ui/form.tsx';

/** A confirmation dialog for an action that cannot be undone. */
export function Confirm(props: {
  title: string;
  /** The label of the button. */
  submit: string;
  act: () => Promise<unknown>;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const { title, submit, act, onClose, children } = props;
  const action = useAction(act);
  return (
    <Dialog title={title} onClose={onClose}>
      <Form action={action} submit={submit} kind="danger" onCancel={onClose}>
        {children}
      </Form>
    </Dialog>
  );
}
