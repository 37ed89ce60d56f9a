import { useState } from 'preact/hooks';
import { Checkbox, Field } from './ui.tsx';

/** A field for a new password. Instead of repeating the password, the user can show it. */
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
      <Checkbox label="Show the password" checked={isShown} onChecked={setShown} />
    </>
  );
}
