import type { ComponentChildren } from 'preact';
import type { Action } from '../api/use-action.ts';
import { Button, type ButtonKind } from './button.tsx';
import { Problem } from './problem.tsx';

/** A button with an asynchronous action, and its error. */
export function ActionButton(props: {
  action: Action<readonly []>;
  children: ComponentChildren;
  kind?: ButtonKind | undefined;
  /** As of Button. */
  label?: string;
}) {
  const { action, children, kind, label } = props;
  return (
    <>
      <Button kind={kind} isBusy={action.isBusy} label={label} onClick={() => void action.run()}>
        {children}
      </Button>
      <Problem text={action.otherProblem()} />
    </>
  );
}
