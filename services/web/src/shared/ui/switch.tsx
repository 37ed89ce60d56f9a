import type { ComponentChildren } from 'preact';

/** A labelled switch, for a setting that applies at once. A choice in a form is a Checkbox. */
export function Switch(props: {
  label: ComponentChildren;
  checked: boolean;
  onChecked: (checked: boolean) => void;
  disabled?: boolean;
}) {
  const { label, checked, onChecked, disabled = false } = props;
  return (
    <label class="switch">
      <span>{label}</span>
      <input
        type="checkbox"
        role="switch"
        checked={checked}
        aria-checked={checked}
        disabled={disabled}
        onChange={({ currentTarget }) => onChecked(currentTarget.checked)}
      />
    </label>
  );
}
