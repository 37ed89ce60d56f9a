import { Button } from '@gatehouse/web/shared/ui/button.tsx';
import { useState } from 'preact/hooks';
import { may } from '../api/me.ts';
import type { ActionName } from '../api/roles.ts';
import { ReasonDialog, type ReasonedAction } from './reason-dialog.tsx';

/** An action of a page, for operators who may take it. */
export interface OfferedAction extends ReasonedAction {
  readonly name: ActionName;
  /** The label of the button that opens the dialog. */
  readonly label: string;
  /** One that is seldom the right one: its button does not stand out. */
  readonly isSecondary?: boolean;
}

/** Buttons for the actions that the operator may take, each with its dialog. */
export function ActionMenu(props: { actions: readonly OfferedAction[]; onDone: () => unknown }) {
  const { actions, onDone } = props;
  const [open, setOpen] = useState<OfferedAction>();
  return (
    <>
      {actions
        .filter(({ name }) => may(name))
        .map((action, index) => (
          <Button
            // In place of "Suspend" comes "Restore": the same button, which keeps the focus.
            key={String(index)}
            kind={action.kind === 'primary' || action.isSecondary ? undefined : 'danger'}
            onClick={() => setOpen(action)}
          >
            {action.label}
          </Button>
        ))}
      {open && <ReasonDialog action={open} onClose={() => setOpen(undefined)} onDone={onDone} />}
    </>
  );
}
