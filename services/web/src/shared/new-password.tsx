import { useState } from 'preact/hooks';
import { Field, Tick } from './ui.tsx';

/** A password that is being chosen. It is asked for once; whoever wants to check it can show it. */
export function NewPassword(props: {
  value: string;
  onValue: (value: string) => void;
  problem: string | undefined;
}) {
  const [isShown, setShown] = useState(false);
  return (
    <>
      <Field
        label="New password"
        type={isShown ? 'text' : 'password'}
        autoComplete="new-password"
        hint="8 characters or more. A few words in a row are easy to remember."
        {...props}
      />
      <Tick label="Show the password" checked={isShown} onChecked={setShown} />
    </>
  );
}
