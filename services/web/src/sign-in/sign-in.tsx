import { type ComponentChildren, Fragment } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { hasEnded, remember, session } from '../shared/api/session.ts';
import { Checkbox } from '../shared/ui.tsx';
import { ForgotStep, SentStep } from './forgot-step.tsx';
import { HeldStep } from './held-step.tsx';
import { PasswordStep } from './password-step.tsx';
import { RegisterStep } from './register-step.tsx';
import { SecondFactorStep } from './second-factor-step.tsx';
import { StepCard } from './step-card.tsx';
import type { SignInFlow, Step } from './steps.ts';

const PASSWORD: Step = { name: 'password' };
const ENDED: Step = {
  name: 'password',
  notice: 'Your session has ended: it was signed out elsewhere, or is too old. Sign in again.',
};

/** Shows its children to a signed-in user, and the sign-in form otherwise. Each account starts with fresh state. */
export function SignedIn({ children }: { children: ComponentChildren }) {
  const user_id = session.value?.user_id;
  const isSignedIn = user_id !== undefined;
  const before = useRef(isSignedIn);
  const hasSignedOut = useRef(false);
  if (before.current && !isSignedIn) hasSignedOut.current = true;
  useEffect(() => {
    if (!before.current && isSignedIn) document.getElementById('main')?.focus();
    before.current = isSignedIn;
  }, [isSignedIn]);
  if (isSignedIn) return <Fragment key={user_id}>{children}</Fragment>;
  return <SignIn start={hasEnded.value ? ENDED : PASSWORD} takesFocus={hasSignedOut.current} />;
}

const TITLES: Readonly<Record<Step['name'], string>> = {
  password: 'Sign in',
  'second-factor': 'Second step',
  held: 'Check your mail',
  forgot: 'Forgotten password',
  sent: 'Check your mail',
  register: 'Create an account',
};

/** The sign-in form, starting at a step. When it is done, `session` has a value. */
export function SignIn(props: { start?: Step; takesFocus?: boolean }) {
  const { start = PASSWORD, takesFocus = false } = props;
  const [step, setStep] = useState<Step>(start);
  const [email, setEmail] = useState('');
  const [isPersistent, setPersistent] = useState(false);
  const flow: SignInFlow = {
    go: setStep,
    finish: (opened) => remember(opened, isPersistent),
    email,
    setEmail,
  };
  return (
    <StepCard key={step.name} title={TITLES[step.name]} takesFocus={takesFocus || step !== start}>
      {stepOf(
        step,
        flow,
        <Checkbox label="Stay signed in on this device" checked={isPersistent} onChecked={setPersistent} />,
      )}
    </StepCard>
  );
}

function stepOf(step: Step, flow: SignInFlow, staySignedInBox: ComponentChildren): ComponentChildren {
  switch (step.name) {
    case 'password':
      return <PasswordStep flow={flow} staySignedInBox={staySignedInBox} notice={step.notice} />;
    case 'second-factor':
      return <SecondFactorStep flow={flow} {...step} />;
    case 'held':
      return <HeldStep flow={flow} login={step} />;
    case 'forgot':
      return <ForgotStep flow={flow} />;
    case 'sent':
      return <SentStep flow={flow} email={step.email} />;
    case 'register':
      return <RegisterStep flow={flow} staySignedInBox={staySignedInBox} />;
  }
}
