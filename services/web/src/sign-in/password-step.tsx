import type { LoginPasskeyResponse, LoginResponse } from '@gatehouse/proto/auth';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { call } from '../shared/api/api.ts';
import { useAction } from '../shared/api/use-action.ts';
import { i18n } from '../shared/i18n/i18n.ts';
import { answerWithPasskey, passkeyObstacleHere } from '../shared/passkey.ts';
import { ActionButton } from '../shared/ui/action-button.tsx';
import { Field } from '../shared/ui/field.tsx';
import { Form } from '../shared/ui/form.tsx';
import { Problem } from '../shared/ui/problem.tsx';
import { afterPassword, heldLoginOf, type SignInFlow } from './steps.ts';

interface PasswordStepProps {
  readonly flow: SignInFlow;
  readonly staySignedInBox: ComponentChildren;
  readonly notice: string | undefined;
}

/** The first step: a password, or a passkey alone. */
export function PasswordStep({ flow, staySignedInBox, notice }: PasswordStepProps) {
  const [password, setPassword] = useState('');
  const action = useAction(async () => {
    const next = await login(flow.email, password);
    if ('name' in next) flow.go(next);
    else flow.finish(next);
  });
  const passwordProblem = action.problemOf('password');
  const emailProblem = action.problemOf('email');
  return (
    <>
      {notice && <Problem text={notice} />}
      <Form action={action} submit={i18n._('Sign in')}>
        <Field
          label={i18n._('E-mail address')}
          type="email"
          autoComplete="username"
          value={flow.email}
          onValue={flow.setEmail}
          problem={emailProblem === passwordProblem ? undefined : emailProblem}
        />
        <Field
          label={i18n._('Password')}
          type="password"
          autoComplete="current-password"
          value={password}
          onValue={setPassword}
          problem={passwordProblem}
        />
        {staySignedInBox}
      </Form>
      {passkeyObstacleHere() === undefined && <PasskeyButton flow={flow} />}
      <p class="actions links">
        <button type="button" class="plain" onClick={() => flow.go({ name: 'forgot' })}>
          {i18n._('Forgot your password?')}
        </button>
        <button type="button" class="plain" onClick={() => flow.go({ name: 'register' })}>
          {i18n._('Create an account')}
        </button>
      </p>
    </>
  );
}

async function login(email: string, password: string) {
  try {
    return afterPassword(await call<LoginResponse>('POST', '/auth/login', { email, password }));
  } catch (error) {
    const held = heldLoginOf(error);
    if (held) return held;
    throw error;
  }
}

function PasskeyButton({ flow }: { flow: SignInFlow }) {
  const action = useAction(async () => {
    const response = await answerWithPasskey('/auth/webauthn/authentication-options');
    flow.finish(await call<LoginPasskeyResponse>('POST', '/auth/webauthn/authenticate', { response }));
  });
  const unknown = action.problemOf('response') && i18n._('This passkey is not known here.');
  return (
    <div class="or">
      <ActionButton action={action}>{i18n._('Sign in with a passkey')}</ActionButton>
      <Problem text={unknown} />
    </div>
  );
}
