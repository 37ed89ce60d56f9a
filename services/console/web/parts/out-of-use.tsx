import type { ComponentChildren } from 'preact';
import { When } from './when.tsx';

/** Why something is out of use: a suspension or a disablement. */
export interface OutOfUse {
  readonly at_ms: number;
  readonly operator: string;
  readonly reason: string;
}

/** Says who took something out of use, when and why; nothing if it is in use. */
export function OutOfUseNotice(props: {
  what: string;
  /** The thing that is out of use, unless it is that of the page. */
  subject?: ComponentChildren;
  state: OutOfUse | null | undefined;
}) {
  const { what, subject, state } = props;
  if (!state) return null;
  return (
    <div class="notice problem out-of-use">
      <p>
        <strong>{what}</strong>
        {subject && <> ({subject})</>} by <bdi>{state.operator}</bdi>, <When ms={state.at_ms} />.
      </p>
      <p>
        Reason: <bdi>{state.reason}</bdi>
      </p>
    </div>
  );
}
