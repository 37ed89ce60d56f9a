import { useAction } from '@gatehouse/web/shared/api/use-action.ts';
import { ActionButton } from '@gatehouse/web/shared/ui/action-button.tsx';
import { showToast } from '@gatehouse/web/shared/ui/toast.tsx';
import { useState } from 'preact/hooks';
import { loadMe } from '../api/me.ts';
import { redeemLink } from '../api/sign-in.ts';
import { go } from '../router/place.ts';
import { Enrol } from './enrol.tsx';
import { Step } from './step.tsx';

/**
 * Uses a one-time link. Its token is in the fragment, which no server and no log sees. A button uses it up, so that
 * programs that open links to look at them do not.
 */
export function LinkPage() {
  const [token] = useState(() => location.hash.slice(1));
  const [enrolling, setEnrolling] = useState<string>();
  const using = useAction(async () => {
    const used = await redeemLink(token);
    history.replaceState(null, '', '/link');
    if (used.state === 'enrol') return setEnrolling(used.name);
    await loadMe();
    if (used.state === 'sign_in') showToast('You have set up how you sign in. Sign in now.');
    go('/', { replaces: true });
  });
  if (enrolling !== undefined) return <Enrol name={enrolling} />;
  if (token === '')
    return (
      <Step title="One-time link">
        <p>
          This address has no token. The link was cut off, or was used already. Ask an admin for a new one.
        </p>
        <p>
          <a href="/sign-in">Sign in</a>
        </p>
      </Step>
    );
  return (
    <Step title="Welcome to the console">
      <p>This link works once. It opens your access as an operator on this browser.</p>
      <ActionButton kind="primary" action={using}>
        Continue
      </ActionButton>
    </Step>
  );
}
