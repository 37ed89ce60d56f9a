import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { Action } from './api/use-action.ts';
import { copyText } from './copy-text.ts';

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly type?: 'text' | 'email' | 'password';
  /** The autocomplete name, for browsers and password managers. */
  readonly autoComplete?: string;
  readonly inputMode?: 'text' | 'numeric' | 'url';
  readonly hint?: ComponentChildren;
  readonly problem?: string | undefined;
}

/** A labelled input with a hint and an error. */
export function Field(props: FieldProps) {
  const {
    label,
    value,
    onValue,
    type = 'text',
    autoComplete = 'off',
    inputMode = 'text',
    hint,
    problem,
  } = props;
  const id = useId();
  const described = [hint ? `${id}-hint` : '', problem ? `${id}-problem` : ''].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        // Preact has a type for each kind of input; these attributes exist in all of them.
        type={type as 'text'}
        autoComplete={autoComplete}
        inputMode={inputMode}
        value={value}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
        aria-invalid={problem !== undefined}
        {...(described && { 'aria-describedby': described })}
      />
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {problem && (
        <p class="problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </div>
  );
}

/** A labelled checkbox. */
export function Checkbox(props: {
  label: ComponentChildren;
  checked: boolean;
  onChecked: (checked: boolean) => void;
  disabled?: boolean;
}) {
  const { label, checked, onChecked, disabled = false } = props;
  return (
    <label class="tick">
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={({ currentTarget }) => onChecked(currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}

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
        <button type="submit" class={kind} aria-disabled={action.isBusy}>
          {submit}
        </button>
        {onCancel && (
          <button type="button" onClick={onCancel}>
            Cancel
          </button>
        )}
      </div>
    </form>
  );
}

/** A button with an asynchronous action. */
export function ActionButton(props: {
  action: Action<readonly []>;
  children: ComponentChildren;
  kind?: 'primary' | 'danger' | 'plain' | undefined;
  /** The accessible name, if the visible label is clear only in its context. It starts with the label. */
  label?: string;
}) {
  const { action, children, kind = '', label } = props;
  return (
    <>
      <button
        type="button"
        class={kind}
        aria-disabled={action.isBusy}
        onClick={() => void action.run()}
        {...(label !== undefined && { 'aria-label': label })}
      >
        {children}
      </button>
      <Problem text={action.otherProblem()} />
    </>
  );
}

/** An error. The element always exists, so that screen readers announce its content. */
export function Problem({ text }: { text: string | undefined }) {
  return (
    <div role="alert" class="alert">
      {text && <p class="notice problem">{text}</p>}
    </div>
  );
}

/** A success message beside the focused element. It always exists, like Problem. */
export function Status({ text }: { text: string | undefined }) {
  return (
    <div role="status" class="alert">
      {text && <p class="notice">{text}</p>}
    </div>
  );
}

/** A success message or a hint. `takesFocus` if it replaces the focused element. */
export function Notice(props: { children: ComponentChildren; takesFocus?: boolean }) {
  const { children, takesFocus = false } = props;
  const notice = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (takesFocus) notice.current?.focus();
  }, [takesFocus]);
  return (
    <p ref={notice} role="status" class="notice" tabIndex={-1}>
      {children}
    </p>
  );
}

/** A modal dialog. Escape closes it. */
export function Dialog(props: { title: string; onClose: () => void; children: ComponentChildren }) {
  const { title, onClose, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // A layout effect is cleaned up while the dialog is still in the document. Only then does the focus return to its
  // place.
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

/** Text to copy, such as a secret that is shown once. */
export function Copyable({ label, text }: { label: string; text: string }) {
  const id = useId();
  const announcement = useRef<HTMLSpanElement>(null);
  const copy = async () => {
    const copied = await copyText(text);
    if (announcement.current)
      announcement.current.textContent = copied ? 'Copied' : 'Select the text to copy it';
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="copyable">
        <input
          id={id}
          readOnly
          autoComplete="off"
          value={text}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <button type="button" aria-label={`Copy: ${label}`} onClick={() => void copy()}>
          Copy
        </button>
      </div>
      <span ref={announcement} role="status" class="hint" />
    </div>
  );
}
