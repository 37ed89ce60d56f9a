import type { EnvReader } from '../env.ts';

/** What pages and mails show of the operator. */
export interface Branding {
  readonly product_name: string;
  readonly logo_url: string | undefined;
  /** `#rrggbb`. */
  readonly accent_color: string;
  readonly support_url: string | undefined;
  readonly legal_url: string | undefined;
}

const PRODUCT_NAME_MAX = 60;
const WEB = ['http', 'https'];

/** Reads the settings that pages and mails share: PRODUCT_NAME, LOGO_URL, ACCENT_COLOR, SUPPORT_URL and LEGAL_URL. */
export function readBranding(read: EnvReader): Branding {
  return {
    product_name: productName(read),
    logo_url: read.optionalUrl('LOGO_URL', {
      about: 'the product’s picture, 32 pixels high in pages and mails',
      protocols: WEB,
      unset: 'the product’s name alone',
      example: 'https://chat.example.com/logo.png',
    }),
    accent_color: accentColor(read),
    support_url: read.optionalUrl('SUPPORT_URL', {
      about: 'where users get help: a link in pages and mails',
      protocols: WEB,
      unset: 'no link',
      example: 'https://chat.example.com/support',
    }),
    legal_url: read.optionalUrl('LEGAL_URL', {
      about: 'who operates the product, and its terms: a link in pages and mails',
      protocols: WEB,
      unset: 'no link',
      example: 'https://chat.example.com/legal',
    }),
  };
}

/** Black or white: the one that is more readable on a colour (WCAG 2.2, contrast ratio). */
export function textColorOn(color: string): '#000000' | '#ffffff' {
  return contrast(color, '#ffffff') > contrast(color, '#000000') ? '#ffffff' : '#000000';
}

/** WCAG 2.2, contrast ratio of two colours `#rrggbb`: 1 to 21. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [relativeLuminance(one), relativeLuminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** WCAG 2.2, relative luminance of `#rrggbb`. */
function relativeLuminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((from) => {
    const share = Number.parseInt(color.slice(from, from + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function productName(read: EnvReader): string {
  const name = read
    .text('PRODUCT_NAME', { about: 'the product’s name in pages and mails', default: 'Gatehouse' })
    .trim();
  // It is also the name of a mail's sender. Control characters could break a header.
  if (name === '' || [...name].length > PRODUCT_NAME_MAX || /[\p{Cc}\p{Zl}\p{Zp}<>"]/u.test(name))
    read.problem(`PRODUCT_NAME must have 1 to ${PRODUCT_NAME_MAX} characters, without < > " and line breaks`);
  return name;
}

function accentColor(read: EnvReader): string {
  const color = read.text('ACCENT_COLOR', {
    about: 'the colour of buttons in pages and mails: #rrggbb; their text is black or white by contrast',
    default: '#3b5bdb',
  });
  if (!/^#[0-9a-f]{6}$/i.test(color)) read.problem('ACCENT_COLOR must be #rrggbb');
  return color.toLowerCase();
}
