import type { ComponentChildren } from 'preact';
import { Labelled } from './labelled.tsx';

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly type?: 'text' | 'email' | 'password' | 'search' | 'url';
  /** The autocomplete name, for browsers and password managers. */
  readonly autoComplete?: string;
  readonly inputMode?: 'text' | 'numeric' | 'url';
  /** An example of a value. It needs no translation. */
  readonly placeholder?: string;
  readonly hint?: ComponentChildren;
  readonly problem?: string | undefined;
}

/** Written from left to right in every language. */
const LEFT_TO_RIGHT = ['email', 'password', 'url'];

/** A labelled input with a hint and an error. */
export function Field(props: FieldProps) {
  const {
    label,
    value,
    onValue,
    type = 'text',
    autoComplete = 'off',
    inputMode = 'text',
    placeholder,
    hint,
    problem,
  } = props;
  const isLeftToRight = inputMode !== 'text' || LEFT_TO_RIGHT.includes(type);
  return (
    <Labelled label={label} hint={hint} problem={problem}>
      {(input) => (
        <input
          {...input}
          // Preact has a type for each kind of input; these attributes exist in all of them.
          type={type as 'text'}
          autoComplete={autoComplete}
          inputMode={inputMode}
          value={value}
          {...(placeholder !== undefined && { placeholder })}
          onInput={({ currentTarget }) => onValue(currentTarget.value)}
          {...(isLeftToRight && { dir: 'ltr' })}
        />
      )}
    </Labelled>
  );
}
