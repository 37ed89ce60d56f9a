import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Confirm } from '../shared/confirm.tsx';

/** A button for an action that cannot be undone. It asks for confirmation. */
export function ConfirmButton(props: {
  /** The label of the button and the title of the dialog. */
  label: string;
  confirm: string;
  act: () => Promise<unknown>;
  children: ComponentChildren;
}) {
  const [isOpen, setOpen] = useState(false);
  const { label, confirm, act, children } = props;
  const close = () => setOpen(false);
  return (
    <>
      <button type="button" class="danger" onClick={() => setOpen(true)}>
        {label}
      </button>
      {isOpen && (
        <Confirm title={label} submit={confirm} onClose={close} act={() => act().then(close)}>
          {children}
        </Confirm>
      )}
    </>
  );
}
