import { useAction } from '@gatehouse/web/shared/api/use-action.ts';
import { Dialog } from '@gatehouse/web/shared/ui/dialog.tsx';
import { Form } from '@gatehouse/web/shared/ui/form.tsx';
import { TextArea } from '@gatehouse/web/shared/ui/text-area.tsx';
import { showToast } from '@gatehouse/web/shared/ui/toast.tsx';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { fieldProblems } from '../api/field-problems.ts';
import { pendingText } from '../text/pending.ts';

/** An action that changes something, with its reason. */
export interface ReasonedAction {
  readonly title: string;
  /** The label of the button. */
  readonly submit: string;
  /** Context for the decision, such as the owner of the bot. */
  readonly about?: ComponentChildren;
  /** The consequences, a sentence each. */
  readonly consequences: readonly string[];
  /** Messages for further fields that are wrong, found before the server would. */
  readonly problems?: () => Readonly<Record<string, string>>;
  readonly kind?: 'primary' | 'danger';
  /** The message after success. */
  readonly done: string;
  /** `pending` of the answer: services that have not confirmed it yet. */
  readonly act: (reason: string) => Promise<{ readonly pending?: readonly string[] } | undefined>;
}

/** Asks for the reason of an action, and says what the action will do. */
export function ReasonDialog(props: {
  action: ReasonedAction;
  onClose: () => void;
  /** After success. */
  onDone: () => unknown;
  /** Further fields, which show the errors of their members. It gets them at once, not in a component. */
  children?: (problemOf: (path: string) => string | undefined) => ComponentChildren;
}) {
  const { action, onClose, onDone, children } = props;
  const [reason, setReason] = useState('');
  const running = useAction(async () => {
    const problems = { ...action.problems?.(), ...(reason.trim() === '' && MISSING_REASON) };
    if (Object.keys(problems).length > 0) throw fieldProblems(problems);
    const answer = await action.act(reason.trim());
    showToast(action.done + pendingText(answer?.pending ?? []));
    onClose();
    onDone();
  });
  return (
    <Dialog title={action.title} onClose={onClose}>
      <Form action={running} submit={action.submit} kind={action.kind ?? 'danger'} onCancel={onClose}>
        {action.about && <p>{action.about}</p>}
        <ul class="plain-list">
          {action.consequences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        {children?.(running.problemOf)}
        <TextArea
          label="Reason"
          rows={3}
          value={reason}
          onValue={setReason}
          hint="Kept in the operators’ log, with your name."
          problem={running.problemOf('reason')}
        />
      </Form>
    </Dialog>
  );
}

const MISSING_REASON = { reason: 'Write down why, for those who look at the log later.' };
