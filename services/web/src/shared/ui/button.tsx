import type { ComponentChildren } from 'preact';

export type ButtonKind = 'primary' | 'danger' | 'plain';

interface ButtonProps {
  readonly children: ComponentChildren;
  /** Default: a click does nothing, for the button that submits a form. */
  readonly onClick?: (event: MouseEvent) => void;
  readonly kind?: ButtonKind | undefined;
  readonly type?: 'button' | 'submit';
  /** While its action runs. It keeps the focus, unlike a disabled button. */
  readonly isBusy?: boolean;
  /** The accessible name, if the visible label is clear only in its context. It starts with the label. */
  readonly label?: string | undefined;
}

/** A button. Something that leads to another page or view is a link, with the class `button`. */
export function Button({ children, onClick, kind, type = 'button', isBusy = false, label }: ButtonProps) {
  return (
    <button
      type={type}
      aria-disabled={isBusy}
      {...(kind !== undefined && { class: kind })}
      {...(isBusy && { 'data-busy': true })}
      {...(label !== undefined && { 'aria-label': label })}
      {...(onClick !== undefined && { onClick })}
    >
      {children}
    </button>
  );
}
