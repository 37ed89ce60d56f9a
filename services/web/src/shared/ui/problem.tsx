/** An error. The element always exists, so that screen readers announce its content. */
export function Problem({ text }: { text: string | undefined }) {
  return (
    <div role="alert" class="alert">
      {text && <p class="notice problem">{text}</p>}
    </div>
  );
}
