import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useAction } from '../../shared/api/use-action.ts';
import { UserFacingError } from '../../shared/api/user-facing-error.ts';
import { i18n } from '../../shared/i18n/i18n.ts';
import { Page } from '../../shared/page.tsx';
import { Field } from '../../shared/ui/field.tsx';
import { Form } from '../../shared/ui/form.tsx';
import { Problem } from '../../shared/ui/problem.tsx';
import { useMailToken } from './use-mail-token.ts';

/**
 * A page for a link in a mail. Opening it does nothing, because mail scanners open links too. Another link in the same
 * tab restarts it.
 */
export function MailPage(props: { title: string; children: (token: string) => ComponentChildren }) {
  const { title, children } = props;
  const [token, setToken] = useMailToken();
  return (
    <Page title={title}>
      <div key={token} class="card step">
        {token === undefined ? <EnterCode onCode={setToken} /> : children(token)}
      </div>
    </Page>
  );
}

/** Asks for the code from the mail, if the URL has no token. */
function EnterCode({ onCode }: { onCode: (code: string) => void }) {
  const [code, setCode] = useState('');
  const action = useAction(async () => {
    if (code.trim() === '') throw new UserFacingError(i18n._('Enter the code from the mail.'));
    onCode(code.trim());
  });
  return (
    <Form action={action} submit={i18n._('Continue')}>
      <p>{i18n._('Open the link in the mail, or enter the code from the mail.')}</p>
      <Field
        label={i18n._('Code from the mail')}
        autoComplete="one-time-code"
        value={code}
        onValue={setCode}
      />
    </Form>
  );
}

/** The page of an invalid link. The children explain how to get another one. */
export function DeadLink({ children }: { children: ComponentChildren }) {
  const announcement = useRef<HTMLDivElement>(null);
  useEffect(() => announcement.current?.focus(), []);
  return (
    <div ref={announcement} tabIndex={-1}>
      <Problem text={i18n._('This link or code was used before, or it is too old.')} />
      {children}
    </div>
  );
}
