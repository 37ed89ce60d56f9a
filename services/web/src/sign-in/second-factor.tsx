import type { LoginMfaTotpResponse, LoginMfaWebauthnResponse } from '@gatehouse/proto/auth';
import { useState } from 'preact/hooks';
import { call } from '../shared/api/api.ts';
import { Cancelled } from '../shared/api/cancelled.ts';
import { useAction } from '../shared/api/use-action.ts';
import { answerWithPasskey, passkeyObstacleHere } from '../shared/sudo/passkey.ts';
import { ActionButton, Field, Form, Problem } from '../shared/ui.tsx';
import { type Factor, hasTicketEnded, type Way } from './steps.ts';

interface Props {
  readonly way: Way;
  readonly ticket: string;
  readonly methods: readonly Factor[];
}

/** The step after the password: a code or a passkey. */
export function SecondFactor({ way, ticket, methods }: Props) {
  const hasApp = methods.includes('totp');
  const hasBackup = methods.includes('backup_code');
  const obstacle = passkeyObstacleHere();
  const canUsePasskey = methods.includes('webauthn') && obstacle === undefined;
  const [isBackup, setBackup] = useState(hasBackup && !hasApp && !canUsePasskey);
  const asksForCode = hasApp || isBackup;
  return (
    <>
      {asksForCode && <Code way={way} ticket={ticket} isBackup={isBackup} />}
      {canUsePasskey && <Passkey way={way} ticket={ticket} isOnly={!asksForCode} />}
      {!asksForCode && <Problem text={obstacle} />}
      <p class="actions links">
        {hasBackup && (hasApp || !isBackup) && (
          <button type="button" class="plain" onClick={() => setBackup(!isBackup)}>
            {isBackup ? 'Use the authenticator app' : 'Use a backup code'}
          </button>
        )}
        <button type="button" class="plain" onClick={() => way.go({ name: 'password' })}>
          Back to sign in
        </button>
      </p>
    </>
  );
}

interface FactorProps {
  readonly way: Way;
  readonly ticket: string;
}

function Code({ way, ticket, isBackup }: FactorProps & { isBackup: boolean }) {
  const [code, setCode] = useState('');
  const action = useAction(async () => {
    const body = { ticket, code };
    way.finish(await orBack(way, call<LoginMfaTotpResponse>('POST', '/auth/login/mfa/totp', body)));
  });
  return (
    <Form action={action} submit="Continue">
      <Field
        label={isBackup ? 'Backup code' : 'Code from your authenticator app'}
        hint={isBackup ? 'One of those you kept. Each works once.' : 'Six digits.'}
        autoComplete="one-time-code"
        inputMode={isBackup ? 'text' : 'numeric'}
        value={code}
        onValue={setCode}
        problem={action.problemOf('code')}
      />
    </Form>
  );
}

function Passkey({ way, ticket, isOnly }: FactorProps & { isOnly: boolean }) {
  const action = useAction(async () => {
    const options = '/auth/login/mfa/webauthn/authentication-options';
    const response = await orBack(way, answerWithPasskey(options, { ticket }));
    const body = { ticket, response };
    way.finish(await orBack(way, call<LoginMfaWebauthnResponse>('POST', '/auth/login/mfa/webauthn', body)));
  });
  const refused = action.problemOf('response') && 'This passkey does not belong to your account.';
  return (
    <div class="or">
      {isOnly && <p>Your account also asks for your passkey.</p>}
      <ActionButton action={action} kind={isOnly ? 'primary' : undefined}>
        Use a passkey
      </ActionButton>
      <Problem text={refused} />
    </div>
  );
}

/** Runs a step. If the ticket has ended, returns to the password. */
async function orBack<T>(way: Way, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!hasTicketEnded(error)) throw error;
    way.go({ name: 'password', notice: 'That took too long, or there were too many tries. Sign in again.' });
    throw new Cancelled();
  }
}
