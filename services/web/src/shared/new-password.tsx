import { useState } from 'preact/hooks';
import { i18n } from './i18n/i18n.ts';
import { Checkbox } from './ui/checkbox.tsx';
import { Field } from './ui/field.tsx';

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
        label={i18n._('New password')}
        type={isShown ? 'text' : 'password'}
        autoComplete="new-password"
        hint={i18n._('8 characters or more. A few words in a row are easy to remember.')}
        {...props}
      />
      <Checkbox label={i18n._('Show the password')} checked={isShown} onChecked={setShown} />
    </>
  );
}
