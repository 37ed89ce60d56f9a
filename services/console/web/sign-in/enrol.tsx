import { useAction } from '@gatehouse/web/shared/api/use-action.ts';
import { useLoaded } from '@gatehouse/web/shared/api/use-loaded.ts';
import { QrCode } from '@gatehouse/web/shared/qr-code/qr-code.tsx';
import { ActionButton } from '@gatehouse/web/shared/ui/action-button.tsx';
import { Copyable } from '@gatehouse/web/shared/ui/copyable.tsx';
import { Field } from '@gatehouse/web/shared/ui/field.tsx';
import { Form } from '@gatehouse/web/shared/ui/form.tsx';
import { WhenLoaded } from '@gatehouse/web/shared/when-loaded.tsx';
import { useState } from 'preact/hooks';
import { loadMe } from '../api/me.ts';
import { draftTotp, enrolPasskey, enrolTotp, passkeyObstacleHere } from '../api/sign-in.ts';
import { go } from '../router/place.ts';
import { Step } from './step.tsx';

/** Sets up how an operator signs in from now on: a passkey, or a password with an authenticator app. */
export function Enrol({ name }: { name: string }) {
  const obstacle = passkeyObstacleHere();
  const [byApp, setByApp] = useState(obstacle !== undefined);
  return (
    <Step title="How will you sign in?">
      <p>
        You are <strong>{name}</strong>. Set up one way to sign in from now on.
      </p>
      {byApp ? <ByApp /> : <ByPasskey />}
      {obstacle === undefined ? (
        <p class="actions links">
          <button type="button" class="plain" onClick={() => setByApp(!byApp)}>
            {byApp ? 'Use a passkey instead' : 'Use a password and an authenticator app instead'}
          </button>
        </p>
      ) : (
        <p class="quiet">{obstacle}</p>
      )}
    </Step>
  );
}

async function enter(): Promise<void> {
  await loadMe();
  go('/', { replaces: true });
}

function ByPasskey() {
  const action = useAction(async () => {
    await enrolPasskey();
    await enter();
  });
  return (
    <ActionButton kind="primary" action={action}>
      Make a passkey
    </ActionButton>
  );
}

function ByApp() {
  const draft = useLoaded(draftTotp, []);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const action = useAction(async () => {
    await enrolTotp(password, code.trim());
    await enter();
  });
  return (
    <WhenLoaded loaded={draft}>
      {({ secret, uri }) => (
        <Form action={action} submit="Set up">
          <p>Scan this with your authenticator app, or type the key into it.</p>
          <QrCode text={uri} label="QR code for the authenticator app" />
          <Copyable label="Key" text={secret} />
          <Field
            label="Code"
            inputMode="numeric"
            autoComplete="one-time-code"
            hint="Six digits that the app shows now."
            value={code}
            onValue={setCode}
            problem={action.problemOf('code')}
          />
          <Field
            label="New password"
            type="password"
            autoComplete="new-password"
            hint="At least 12 characters. You will need it together with a code."
            value={password}
            onValue={setPassword}
            problem={action.problemOf('password')}
          />
        </Form>
      )}
    </WhenLoaded>
  );
}
