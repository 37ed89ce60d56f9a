import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

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
  const id = useId();
  const list = useRef<HTMLSelectElement>(null);
  const described = [hint ? `${id}-hint` : '', problem ? `${id}-problem` : ''].filter(Boolean).join(' ');
  useEffect(() => {
    if (problem) list.current?.focus();
  }, [problem]);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        ref={list}
        id={id}
        value={value}
        onChange={({ currentTarget }) => onValue(currentTarget.value)}
        aria-invalid={problem !== undefined}
        {...(described && { 'aria-describedby': described })}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {problem && (
        <p class="problem" id={`${id}-problem`}>
          {problem.text}
        </p>
      )}
    </div>
  );
}
