import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Action } from '../api/use-action.ts';
import { i18n } from '../i18n/i18n.ts';
import { Button } from './button.tsx';
import { Problem } from './problem.tsx';

/** A form that runs its action on submit. Its error is announced, and the field in error gets the focus. */
export function Form(props: {
  action: Action<readonly []>;
  submit: string;
  /** Marks an action that cannot be undone. */
  kind?: 'primary' | 'danger';
  onCancel?: () => void;
  children?: ComponentChildren;
}) {
  const { action, submit, kind = 'primary', onCancel, children } = props;
  const form = useRef<HTMLFormElement>(null);
  const wasBusy = useRef(false);
  useEffect(() => {
    // The error is the description of the input, so screen readers read both together.
    if (wasBusy.current && !action.isBusy)
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    wasBusy.current = action.isBusy;
  }, [action.isBusy]);
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void action.run();
      }}
    >
      {children}
      <Problem text={action.otherProblem()} />
      <div class="actions">
        <Button type="submit" kind={kind} isBusy={action.isBusy}>
          {submit}
        </Button>
        {onCancel && <Button onClick={onCancel}>{i18n._('Cancel')}</Button>}
      </div>
    </form>
  );
}
