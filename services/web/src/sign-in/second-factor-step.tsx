import type { LoginMfaTotpResponse, LoginMfaWebauthnResponse } from '@gatehouse/proto/auth';
import { useState } from 'preact/hooks';
import { call } from '../shared/api/api.ts';
import { Cancelled } from '../shared/api/cancelled.ts';
import { useAction } from '../shared/api/use-action.ts';
import { i18n } from '../shared/i18n/i18n.ts';
import { answerWithPasskey, passkeyObstacleHere } from '../shared/passkey.ts';
import { ActionButton } from '../shared/ui/action-button.tsx';
import { Field } from '../shared/ui/field.tsx';
import { Form } from '../shared/ui/form.tsx';
import { Problem } from '../shared/ui/problem.tsx';
import { type Factor, hasTicketEnded, type SignInFlow } from './steps.ts';

interface FactorProps {
  readonly flow: SignInFlow;
  readonly ticket: string;
}

/** The step after the password: a code or a passkey. */
export function SecondFactorStep({ flow, ticket, methods }: FactorProps & { methods: readonly Factor[] }) {
  const hasApp = methods.includes('totp');
  const hasBackup = methods.includes('backup_code');
  const obstacle = passkeyObstacleHere();
  const canUsePasskey = methods.includes('webauthn') && obstacle === undefined;
  const [isBackup, setBackup] = useState(hasBackup && !hasApp && !canUsePasskey);
  const asksForCode = hasApp || isBackup;
  return (
    <>
      {asksForCode && <Code flow={flow} ticket={ticket} isBackup={isBackup} />}
      {canUsePasskey && <Passkey flow={flow} ticket={ticket} isOnly={!asksForCode} />}
      {!asksForCode && <Problem text={obstacle} />}
      <p class="actions links">
        {hasBackup && (hasApp || !isBackup) && (
          <button type="button" class="plain" onClick={() => setBackup(!isBackup)}>
            {isBackup ? i18n._('Use the authenticator app') : i18n._('Use a backup code')}
          </button>
        )}
        <button type="button" class="plain" onClick={() => flow.go({ name: 'password' })}>
          {i18n._('Back to sign in')}
        </button>
      </p>
    </>
  );
}

function Code({ flow, ticket, isBackup }: FactorProps & { isBackup: boolean }) {
  const [code, setCode] = useState('');
  const action = useAction(async () => {
    const body = { ticket, code };
    flow.finish(
      await orBackToPassword(flow, call<LoginMfaTotpResponse>('POST', '/auth/login/mfa/totp', body)),
    );
  });
  return (
    <Form action={action} submit={i18n._('Continue')}>
      <Field
        label={isBackup ? i18n._('Backup code') : i18n._('Code from your authenticator app')}
        hint={isBackup ? i18n._('One of the codes that you kept. Each works once.') : i18n._('Six digits.')}
        autoComplete="one-time-code"
        inputMode={isBackup ? 'text' : 'numeric'}
        value={code}
        onValue={setCode}
        problem={action.problemOf('code')}
      />
    </Form>
  );
}

function Passkey({ flow, ticket, isOnly }: FactorProps & { isOnly: boolean }) {
  const action = useAction(async () => {
    const options = '/auth/login/mfa/webauthn/authentication-options';
    const response = await orBackToPassword(flow, answerWithPasskey(options, { ticket }));
    const body = { ticket, response };
    flow.finish(
      await orBackToPassword(flow, call<LoginMfaWebauthnResponse>('POST', '/auth/login/mfa/webauthn', body)),
    );
  });
  const refused = action.problemOf('response') && i18n._('This passkey does not belong to your account.');
  return (
    <div class="or">
      {isOnly && <p>{i18n._('Your account also asks for your passkey.')}</p>}
      <ActionButton action={action} kind={isOnly ? 'primary' : undefined}>
        {i18n._('Use a passkey')}
      </ActionButton>
      <Problem text={refused} />
    </div>
  );
}

/** Waits for the result of a step. If the ticket has ended, returns to the password step. */
async function orBackToPassword<T>(flow: SignInFlow, result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    if (!hasTicketEnded(error)) throw error;
    const notice = i18n._('That took too long, or there were too many tries. Sign in again.');
    flow.go({ name: 'password', notice });
    throw new Cancelled();
  }
}
