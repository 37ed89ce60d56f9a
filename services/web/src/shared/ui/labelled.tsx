import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** What an input needs to belong to its label, hint and error. */
export interface LabelledInput {
  readonly id: string;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby'?: string;
}

/** The label, the hint and the error of an input. */
export function Labelled(props: {
  label: string;
  hint?: ComponentChildren;
  problem?: string | undefined;
  children: (input: LabelledInput) => ComponentChildren;
}) {
  const { label, hint, problem, children } = props;
  const id = useId();
  const described = [hint ? `${id}-hint` : '', problem ? `${id}-problem` : ''].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        'aria-invalid': problem !== undefined,
        ...(described && { 'aria-describedby': described }),
      })}
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
