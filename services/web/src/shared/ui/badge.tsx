import type { ComponentChildren } from 'preact';

/** A short word on the state of a thing. The word says it, the colour only supports it. */
export function Badge(props: {
  kind?: 'good' | 'warning' | 'danger' | 'neutral';
  children: ComponentChildren;
}) {
  const { kind = 'good', children } = props;
  return <span class={kind === 'good' ? 'badge' : `badge ${kind}`}>{children}</span>;
}
