import type { ComponentChildren } from 'preact';

/** A labelled checkbox. */
export function Checkbox(props: {
  label: ComponentChildren;
  checked: boolean;
  onChecked: (checked: boolean) => void;
  disabled?: boolean;
}) {
  const { label, checked, onChecked, disabled = false } = props;
  return (
    <label class="tick">
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={({ currentTarget }) => onChecked(currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}
