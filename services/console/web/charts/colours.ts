/** Of series, by their place; defined in charts.css for both themes. */
const SERIES = ['--series-1', '--series-2', '--series-3', '--series-4', '--series-5', '--series-6'] as const;

/** The number of series with a colour of their own. */
export const MAX_SERIES = SERIES.length;

/** The CSS variable of a series' colour. */
export function seriesVariable(index: number): string {
  return SERIES[index % SERIES.length] ?? SERIES[0];
}

/** The colour of a CSS variable in the present theme, for a canvas. */
export function colourOf(variable: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${variable})`;
  document.body.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}

/** Calls `redraw` when the theme changes. Returns what ends it. */
export function onThemeChange(redraw: () => void): () => void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  dark.addEventListener('change', redraw);
  return () => dark.removeEventListener('change', redraw);
}
