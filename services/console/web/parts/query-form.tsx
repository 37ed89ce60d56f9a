import { Field } from '@gatehouse/web/shared/ui/field.tsx';
import { useEffect, useState } from 'preact/hooks';

/** A form with one field, whose value is in the page's address. */
export function QueryForm(props: {
  label: string;
  hint: string;
  /** The label of the button. */
  submit: string;
  /** An example of a value. */
  placeholder?: string;
  value: string;
  /** Gets the text without spaces around it. */
  onSubmit: (text: string) => void;
}) {
  const { label, hint, submit, placeholder, value, onSubmit } = props;
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  return (
    <search>
      <form
        class="query"
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit(text.trim());
        }}
      >
        <Field
          label={label}
          type="search"
          value={text}
          onValue={setText}
          hint={hint}
          {...(placeholder !== undefined && { placeholder })}
        />
        <button type="submit" class="primary">
          {submit}
        </button>
      </form>
    </search>
  );
}
