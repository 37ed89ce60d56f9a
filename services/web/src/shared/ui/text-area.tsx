import type { ComponentChildren } from 'preact';
import { Labelled } from './labelled.tsx';

interface TextAreaProps {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly rows?: number;
  /** Code: in a monospaced font, from left to right, without correction. */
  readonly isCode?: boolean;
  readonly hint?: ComponentChildren;
  readonly problem?: string | undefined;
}

/** A labelled input of several lines. */
export function TextArea({ label, value, onValue, rows = 4, isCode = false, hint, problem }: TextAreaProps) {
  return (
    <Labelled label={label} hint={hint} problem={problem}>
      {(input) => (
        <textarea
          {...input}
          rows={rows}
          autoComplete="off"
          value={value}
          onInput={({ currentTarget }) => onValue(currentTarget.value)}
          dir="auto"
          {...(isCode && { class: 'code', dir: 'ltr', spellcheck: false })}
        />
      )}
    </Labelled>
  );
}
