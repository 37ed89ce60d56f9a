import type uPlot from 'uplot';
import { colourOf, seriesVariable } from './colours.ts';
import { lonePoints, type NamedSeries } from './series.ts';
import { timeTexts } from './time-axis.ts';

const HEIGHT = 190;
const POINT_SIZE = 4;
const FONT = '12px system-ui, sans-serif';
/** Room for the times of the horizontal axis. */
const AXIS_HEIGHT = 28;
/** Times are at least so far apart that their texts do not touch. */
const TIME_WIDTH = 72;
/** Room for the numbers of the vertical axis. */
const AXIS_WIDTH = 58;

export interface PlotForm {
  readonly width: number;
  readonly series: readonly NamedSeries[];
  /** The text of a value. */
  readonly text: (value: number) => string;
  /** The CSS variables of the series' colours; default: one for each place. */
  readonly variables?: readonly string[] | undefined;
}

/** The options of uPlot for lines over time, in the colours of the theme. */
export function plotOptions({ width, series, text, variables }: PlotForm): uPlot.Options {
  const grid = { stroke: colourOf('--line'), width: 1 };
  const axis = { stroke: colourOf('--quiet'), font: FONT, grid, ticks: { ...grid, size: 4 } };
  return {
    width,
    height: HEIGHT,
    cursor: { y: false, points: { size: 6 } },
    legend: { show: false },
    scales: { y: { range: (_plot, _min, max) => [0, max > 0 ? max * 1.1 : 1] } },
    axes: [
      {
        ...axis,
        size: AXIS_HEIGHT,
        space: TIME_WIDTH,
        values: (_plot, times, _axis, _space, apart_s) => timeTexts(times, apart_s),
      },
      { ...axis, size: AXIS_WIDTH, values: (_plot, values) => values.map(text) },
    ],
    series: [
      {},
      ...series.map(({ name }, index): uPlot.Series => {
        const colour = colourOf(variables?.[index] ?? seriesVariable(index));
        return {
          label: name,
          stroke: colour,
          width: 2,
          points: {
            show: false,
            size: POINT_SIZE,
            fill: colour,
            filter: (plot, at) => lonePoints(plot.data[at] ?? []),
          },
        };
      }),
    ],
  };
}

/** The times and values as uPlot takes them: times in seconds. */
export function plotData(times: readonly number[], series: readonly NamedSeries[]): uPlot.AlignedData {
  return [times.map((time) => time / 1_000), ...series.map(({ values }) => [...values])];
}
