import { contrast, textColorOn } from '@gatehouse/kit/process/branding';

/** The grounds of pages with the least contrast to a text in the accent colour (services/web/src/shared/styles/tokens.css). */
const GROUNDS = { light: '#eef0f5', dark: '#22262e' } as const;
const READABLE = 4.5; // WCAG 2.2 §1.4.3

/**
 * The stylesheet of an accent colour. It is also the colour of links, so it gets darker in the light theme, and lighter
 * in the dark one, until it is readable on each ground.
 */
export function brandingStyle(accent: string): string {
  const light = theme(accent, {
    ground: mix(accent, '#ffffff', 0.92),
    page: GROUNDS.light,
    towards: '#000000',
  });
  const dark = theme(accent, {
    ground: mix(accent, '#111318', 0.84),
    page: GROUNDS.dark,
    towards: '#ffffff',
  });
  return `:root {
  --accent: light-dark(${light.accent}, ${dark.accent});
  --accent-ground: light-dark(${light.ground}, ${dark.ground});
  --on-accent: light-dark(${textColorOn(light.accent)}, ${textColorOn(dark.accent)});
}
`;
}

interface Theme {
  readonly ground: string;
  readonly page: string;
  readonly towards: string;
}

function theme(
  accent: string,
  { ground, page, towards }: Theme,
): { readonly accent: string; readonly ground: string } {
  const steps = Array.from({ length: 101 }, (_, percent) => mix(accent, towards, percent / 100));
  const readable = steps.find((color) => [ground, page].every((one) => contrast(color, one) >= READABLE));
  return { accent: readable ?? towards, ground };
}

function mix(one: string, other: string, share: number): string {
  const to = channels(other);
  const mixed = channels(one).map((channel, index) =>
    Math.round(channel + ((to[index] ?? 0) - channel) * share),
  );
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

function channels(color: string): readonly number[] {
  return [1, 3, 5].map((from) => Number.parseInt(color.slice(from, from + 2), 16));
}
