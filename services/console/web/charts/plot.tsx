import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { dateTimeText } from '../text/clock-text.ts';
import { onThemeChange, seriesVariable } from './colours.ts';
import { plotData, plotOptions } from './plot-options.ts';
import { lastOf, type NamedSeries } from './series.ts';
import 'uplot/dist/uPlot.min.css';
import './charts.css';

/**
 * Lines over time, with the values at the pointer, or of the newest step, in the legend, which screen readers
 * read too.
 */
export function Plot(props: {
  title: string;
  /** The period of the plot, in words. */
  period: string;
  times: readonly number[];
  series: readonly NamedSeries[];
  text: (value: number) => string;
  /** In place of lines that would all be 0. */
  empty: string;
  variables?: readonly string[];
}) {
  const { title, period, times, series, text, empty, variables } = props;
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const hovered = useSignal<number | undefined>(undefined);
  const newest = useRef(props);
  newest.current = props;
  const names = series.map(({ name }) => name).join('\n');
  useEffect(() => {
    const place = frame.current;
    if (place === null) return undefined;
    const draw = () => {
      plot.current?.destroy();
      const { times, series, text, variables } = newest.current;
      const options = plotOptions({ width: place.clientWidth, series, text, variables });
      const setCursor = ({ cursor }: uPlot) => {
        hovered.value = cursor.idx ?? undefined;
      };
      plot.current = new uPlot(
        { ...options, hooks: { setCursor: [setCursor] } },
        plotData(times, series),
        place,
      );
    };
    draw();
    const endTheme = onThemeChange(draw);
    const resized = new ResizeObserver(() => {
      const { current } = plot;
      if (current && current.width !== place.clientWidth)
        current.setSize({ width: place.clientWidth, height: current.height });
    });
    resized.observe(place);
    return () => {
      endTheme();
      resized.disconnect();
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, [names]);
  useEffect(() => plot.current?.setData(plotData(times, series)), [times]);
  const isEmpty = series.length === 0 || times.length === 0;
  return (
    <section class="card plot" aria-labelledby={id}>
      <div class="card-head">
        <h2 id={id}>{title}</h2>
        {hovered.value === undefined ? (
          <span class="quiet">{period}</span>
        ) : (
          <HoveredTime time_ms={times[hovered.value]} />
        )}
      </div>
      {isEmpty && <p class="plot-empty quiet">{times.length === 0 ? 'No values yet.' : empty}</p>}
      <div ref={frame} class="plot-frame" aria-hidden="true" hidden={isEmpty} />
      <Legend series={series} at={hovered.value} text={text} variables={variables} />
    </section>
  );
}

function HoveredTime({ time_ms }: { time_ms: number | undefined }) {
  if (time_ms === undefined) return null;
  return <span class="quiet">{dateTimeText(time_ms)}</span>;
}

function Legend(props: {
  series: readonly NamedSeries[];
  at: number | undefined;
  text: (value: number) => string;
  variables: readonly string[] | undefined;
}) {
  const { series, at, text, variables } = props;
  return (
    <ul class="legend">
      {series.map(({ name, values }, index) => {
        const value = at === undefined ? lastOf(values) : values[at];
        return (
          <li key={name}>
            <span
              class="swatch"
              style={{ background: `var(${variables?.[index] ?? seriesVariable(index)})` }}
            />
            <span>{name}</span>
            <strong>{value == null ? '–' : text(value)}</strong>
          </li>
        );
      })}
    </ul>
  );
}
