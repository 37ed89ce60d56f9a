/**
 * A name that somebody has chosen: it keeps its own direction, and takes two lines at most, or one. Screen readers read
 * all of it. So do others by the tooltip, by the focus of the link around it, or by a touch.
 */
export function Name({ text, isOneLine = false }: { text: string; isOneLine?: boolean }) {
  return (
    <bdi class={isOneLine ? 'name one-line' : 'name'} title={text}>
      {text}
    </bdi>
  );
}
