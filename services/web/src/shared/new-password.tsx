import { useState } from 'preact/hooks';
import { Field, Tick } from './ui.tsx';

/** The field of a new password. There is no second field to repeat it; the user can show it instead. */
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
