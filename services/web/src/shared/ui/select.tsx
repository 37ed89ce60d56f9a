import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Labelled } from './labelled.tsx';

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly options: readonly { readonly value: string; readonly text: string }[];
  readonly hint?: ComponentChildren;
  /** A new error moves the focus to the list. */
  readonly problem?: { readonly text: string } | undefined;
}

/** A labelled drop-down list. */
export function Select({ label, value, onValue, options, hint, problem }: SelectProps) {
  const list = useRef<HTMLSelectElement>(null);
  useEffect(() => {
    if (problem) list.current?.focus();
  }, [problem]);
  return (
    <Labelled label={label} hint={hint} problem={problem?.text}>
      {(input) => (
        <select
          {...input}
          ref={list}
          value={value}
          onChange={({ currentTarget }) => onValue(currentTarget.value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.text}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}
