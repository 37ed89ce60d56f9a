import { useEffect, useState } from 'preact/hooks';
import type { Step } from './steps.ts';

const SKIP_LINK = '#main';

/**
 * The current step of signing in. The later steps share an entry of the browser's history, so that the back button
 * returns from them to the first one, and not to the page before. Their URL is that of the page.
 *
 * @returns the step; a function that shows another one; a function that ends the flow
 */
export function useStep(start: Step): [Step, (next: Step) => void, () => void] {
  const [step, setStep] = useState(start);
  const isLater = step.name !== start.name;
  useEffect(() => {
    const follow = ({ state }: PopStateEvent) => {
      // A later step keeps its ticket when the skip link is followed.
      if (isEntryOfLaterStep(state) || location.hash === SKIP_LINK) return;
      setStep((shown) => (shown.name === start.name ? shown : start));
    };
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, [start]);
  const end = () => {
    if (isLater && isEntryOfLaterStep(history.state)) history.back();
  };
  const go = (next: Step) => {
    if (!isLater && next.name !== start.name) history.pushState({ is_later_step: true }, '');
    if (next.name === start.name) end();
    setStep(next);
  };
  return [step, go, end];
}

function isEntryOfLaterStep(state: unknown): boolean {
  return state !== null && typeof state === 'object' && 'is_later_step' in state;
}
