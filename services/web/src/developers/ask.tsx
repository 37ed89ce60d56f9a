import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog, Problem } from '../shared/ui.tsx';
import { useAction } from '../shared/use-action.ts';

/** A button for what cannot be undone: it says what will happen and asks first. */
export function Ask(props: {
  /** On the button, and the title of the question. */
  label: string;
  confirm: string;
  act: () => Promise<unknown>;
  isReady?: boolean;
  children: ComponentChildren;
}) {
  const [isOpen, setOpen] = useState(false);
  const { label, confirm, act, isReady = true, children } = props;
  return (
    <>
      <button type="button" class="danger" onClick={() => setOpen(true)}>
        {label}
      </button>
      {isOpen && (
        <Question label={label} confirm={confirm} act={act} isReady={isReady} onClose={() => setOpen(false)}>
          {children}
        </Question>
      )}
    </>
  );
}

function Question(props: {
  label: string;
  confirm: string;
  act: () => Promise<unknown>;
  isReady: boolean;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const { label, confirm, act, isReady, onClose, children } = props;
  const action = useAction(async () => {
    if (!isReady) return;
    await act();
    onClose();
  });
  return (
    <Dialog title={label} onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void action.run();
        }}
      >
        {children}
        <Problem text={action.problem} />
        <div class="actions">
          <button type="submit" class="danger" aria-disabled={action.is_busy || !isReady}>
            {confirm}
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
