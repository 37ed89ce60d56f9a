import { useState } from 'preact/hooks';

const LETTERS = new Intl.Segmenter();

/** The picture of somebody or something whose name stands beside it, or the first letter of the name. */
export function Avatar(props: {
  name: string;
  src?: string | undefined;
  size?: 'small' | 'medium' | 'large';
}) {
  const { name, src, size = 'medium' } = props;
  const [broken, setBroken] = useState<string>();
  const className = size === 'medium' ? 'avatar' : `avatar ${size}`;
  if (src !== undefined && src !== broken)
    return <img class={className} src={src} alt="" loading="lazy" onError={() => setBroken(src)} />;
  return (
    <span class={className} aria-hidden="true">
      {firstLetter(name)}
    </span>
  );
}

/** The first letter, digit or emoji; an emoji of several code points is one. Other signs say nothing of a name. */
function firstLetter(name: string): string {
  const signs = [...LETTERS.segment(name.trim())].map(({ segment }) => segment);
  const first = signs.find((sign) => /[\p{L}\p{N}\p{Emoji_Presentation}]/u.test(sign)) ?? signs[0];
  return first?.toUpperCase() ?? '?';
}
