import { useAction } from '@gatehouse/web/shared/api/use-action.ts';
import { Field } from '@gatehouse/web/shared/ui/field.tsx';
import { Form } from '@gatehouse/web/shared/ui/form.tsx';
import { useState } from 'preact/hooks';
import { loadMe } from '../api/me.ts';
import { passkeyObstacleHere, signInByCode, signInByPasskey } from '../api/sign-in.ts';
import { go, path } from '../router/place.ts';
import { Step } from './step.tsx';

/** Signs an operator in, by passkey, or by password and code. */
export function SignInPage() {
  const obstacle = passkeyObstacleHere();
  const [name, setName] = useState('');
  const [byCode, setByCode] = useState(obstacle !== undefined);
  const Shown = byCode ? ByCode : ByPasskey;
  return (
    <Step title="Sign in">
      <Shown name={name} setName={setName} />
      {obstacle === undefined ? (
        <p class="actions links">
          <button type="button" class="plain" onClick={() => setByCode(!byCode)}>
            {byCode ? 'Use a passkey instead' : 'Use password and code instead'}
          </button>
        </p>
      ) : (
        <p class="quiet">{obstacle}</p>
      )}
      <p class="quiet">
        No way in? An admin makes a new link for you:{' '}
        <code>
          gatehouse operators update NAME <span class="option">--new-link</span>
        </code>
      </p>
    </Step>
  );
}

interface NameProps {
  readonly name: string;
  readonly setName: (name: string) => void;
}

async function enter(): Promise<void> {
  await loadMe();
  if (path.peek() === '/sign-in' || path.peek() === '/link') go('/', { replaces: true });
}

function ByPasskey({ name, setName }: NameProps) {
  const action = useAction(async () => {
    await signInByPasskey(name.trim());
    await enter();
  });
  return (
    <Form action={action} submit="Sign in with a passkey">
      <Field
        label="Name"
        autoComplete="username webauthn"
        value={name}
        onValue={setName}
        problem={action.problemOf('name')}
      />
    </Form>
  );
}

function ByCode({ name, setName }: NameProps) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const action = useAction(async () => {
    await signInByCode(name.trim(), password, code.trim());
    await enter();
  });
  return (
    <Form action={action} submit="Sign in">
      <Field
        label="Name"
        autoComplete="username"
        value={name}
        onValue={setName}
        problem={action.problemOf('name')}
      />
      <Field
        label="Password"
        type="password"
        autoComplete="current-password"
        value={password}
        onValue={setPassword}
        problem={action.problemOf('password')}
      />
      <Field
        label="Code"
        inputMode="numeric"
        autoComplete="one-time-code"
        hint="Six digits from your authenticator app."
        value={code}
        onValue={setCode}
        problem={action.problemOf('code')}
      />
    </Form>
  );
}
