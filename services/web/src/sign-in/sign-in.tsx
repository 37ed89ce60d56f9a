import { type ComponentChildren, Fragment } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { hasEnded, remember, session } from '../shared/api/session.ts';
import { Tick } from '../shared/ui.tsx';
import { Forgot, Sent } from './forgot.tsx';
import { Held } from './held.tsx';
import { Password } from './password.tsx';
import { Register } from './register.tsx';
import { SecondFactor } from './second-factor.tsx';
import { StepCard } from './step-card.tsx';
import type { Step, Way } from './steps.ts';

const PASSWORD: Step = { name: 'password' };
const ENDED: Step = {
  name: 'password',
  notice: 'Your session has ended: it was signed out elsewhere, or is too old. Sign in again.',
};

/**
 * Shows its children to a signed-in user, and the sign-in form otherwise. No state of one account is left for the next.
 */
export function SignedIn({ children }: { children: ComponentChildren }) {
  const user_id = session.value?.user_id;
  const isSignedIn = user_id !== undefined;
  const before = useRef(isSignedIn);
  const hasLeft = useRef(false);
  if (before.current && !isSignedIn) hasLeft.current = true;
  useEffect(() => {
    if (!before.current && isSignedIn) document.getElementById('main')?.focus();
    before.current = isSignedIn;
  }, [isSignedIn]);
  if (isSignedIn) return <Fragment key={user_id}>{children}</Fragment>;
  return <SignIn start={hasEnded.value ? ENDED : PASSWORD} takesFocus={hasLeft.current} />;
}

const TITLES: Readonly<Record<Step['name'], string>> = {
  password: 'Sign in',
  'second-factor': 'Second step',
  held: 'Check your mail',
  forgot: 'Forgotten password',
  sent: 'Check your mail',
  register: 'Create an account',
};

/** The sign-in form, starting at a step. At its end, `session` has a value. */
export function SignIn(props: { start?: Step; takesFocus?: boolean }) {
  const { start = PASSWORD, takesFocus = false } = props;
  const [step, setStep] = useState<Step>(start);
  const [email, setEmail] = useState('');
  const [stay, setStay] = useState(false);
  const way: Way = { go: setStep, finish: (found) => remember(found, stay), email, setEmail };
  return (
    <StepCard key={step.name} title={TITLES[step.name]} takesFocus={takesFocus || step !== start}>
      {stepOf(step, way, <Tick label="Stay signed in on this device" checked={stay} onChecked={setStay} />)}
    </StepCard>
  );
}

function stepOf(step: Step, way: Way, stay: ComponentChildren): ComponentChildren {
  switch (step.name) {
    case 'password':
      return <Password way={way} stay={stay} notice={step.notice} />;
    case 'second-factor':
      return <SecondFactor way={way} {...step} />;
    case 'held':
      return <Held way={way} login={step} />;
    case 'forgot':
      return <Forgot way={way} />;
    case 'sent':
      return <Sent way={way} email={step.email} />;
    case 'register':
      return <Register way={way} stay={stay} />;
  }
}
