/** What came of an action, beside the focused element. It always exists, like Problem. */
export function Status(props: {
  text: string | undefined;
  /** `warning`: the action ran, but without the wanted effect. */
  kind?: 'good' | 'warning';
}) {
  const { text, kind = 'good' } = props;
  return (
    <div role="status" class="alert">
      {text && <p class={kind === 'good' ? 'notice' : 'notice warning'}>{text}</p>}
    </div>
  );
}
