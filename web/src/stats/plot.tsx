// A plot, and the very same figures as a table for everybody who reads better than they see. uPlot is fetched when it is needed.
import { useEffect, useRef } from "preact/hooks";
import "uplot/dist/uPlot.min.css";
import type { Options } from "uplot";
import { dirOf, language, t } from "../i18n";
import { theme } from "../app/theme";
import { useStore } from "../app/store";

export interface Series {
  label: string;
  values: (number | null)[];
  /** Colour by the name of a token; the dash and the table tell lines apart too. */
  color: string;
  dash?: number[];
  fill?: boolean;
}
interface Props {
  testid: string;
  title: string;
  labels: string[];
  /** What stands under the plot, where the whole label is too long. */
  short?: string[];
  series: Series[];
  unit?: (value: number) => string;
  /** Figures beside the plot. */
  scale?: (value: number) => string;
  bars?: boolean;
  /** The steps of the scale; whole figures in any case. */
  steps?: number[];
}

const WHOLE = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000];

export function Plot({ testid, title, labels, short = labels, series, unit = String, scale = unit, bars = false, steps = WHOLE }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const chosen = useStore(theme);
  const lang = language();
  useEffect(() => {
    const place = box.current;
    if (!place || !labels.length) return undefined;
    let gone = false;
    let end = () => {};
    void import("uplot").then(({ default: uPlot }) => {
      if (gone) return;
      const css = getComputedStyle(document.documentElement);
      const color = (name: string) => css.getPropertyValue(name).trim() || "currentcolor";
      const font = `12px ${css.getPropertyValue("--font")}`;
      const rtl = dirOf(lang) === "rtl";
      const at = (index: number) => short[index] ?? "";
      const axis = { stroke: color("--ink-2"), grid: { stroke: color("--line"), width: 1 }, ticks: { stroke: color("--line") }, font };
      const width = () => Math.max(240, place.clientWidth);
      const options: Options = {
        width: width(),
        height: 240,
        cursor: { y: false, drag: { x: false, y: false } },
        legend: { show: false },
        // Half of the last word under the plot stands beyond it.
        padding: [8, 24, 0, 24],
        // The canvas writes from left to right whatever the page does, and forgets it with every new size.
        hooks: { drawClear: [(plot) => void (plot.ctx.direction = rtl ? "rtl" : "ltr")] },
        scales: {
          x: { time: false, dir: rtl ? -1 : 1, range: (_plot, low, high) => (bars || low === high ? [low - 0.6, high + 0.6] : [low, high]) },
          y: { range: (_plot, _low, high) => [0, Math.max(1, high * 1.1)] },
        },
        axes: [
          { ...axis, space: bars ? 48 : 72, incrs: [1, 2, 4, 8, 12, 16, 24], values: (_plot, splits) => splits.map((split) => (Number.isInteger(split) ? at(split) : "")) },
          { ...axis, side: rtl ? 1 : 3, size: 56, incrs: steps, values: (_plot, splits) => splits.map(scale) },
        ],
        series: [
          {},
          ...series.map((one) => ({
            label: one.label,
            stroke: color(one.color),
            width: 2,
            ...(one.dash ? { dash: one.dash } : {}),
            ...(one.fill || bars ? { fill: `color-mix(in srgb, ${color(one.color)} 28%, transparent)` } : {}),
            ...(bars && uPlot.paths.bars ? { paths: uPlot.paths.bars({ size: [0.6, 60] }) } : {}),
            points: { show: labels.length < 32 && !bars },
          })),
        ],
      };
      const plot = new uPlot(options, [labels.map((_label, index) => index), ...series.map((one) => one.values)], place);
      const watch = new ResizeObserver(() => plot.setSize({ width: width(), height: 240 }));
      watch.observe(place);
      end = () => (watch.disconnect(), plot.destroy());
    });
    return () => ((gone = true), end());
  }, [JSON.stringify([labels, series]), chosen, lang]);
  return (
    <figure class="card stack plot" data-testid={testid}>
      <figcaption>
        <h2>{title}</h2>
        <ul class="row legend" aria-hidden="true">
          {series.map((one) => (
            <li key={one.label} class="small">
              <i style={{ borderBlockStartColor: `var(${one.color})`, borderBlockStartStyle: one.dash ? "dashed" : "solid" }} /> {one.label}
            </li>
          ))}
        </ul>
      </figcaption>
      <div class="plot-box" ref={box} role="img" aria-label={title} />
      <details open={matchMedia("(min-width: 64rem)").matches}>
        <summary>{t("stats.table")}</summary>
        <div class="scroll-box" tabIndex={0} role="region" aria-label={title}>
          <table data-testid="plot-table">
            <thead>
              <tr>
                <th scope="col" />
                {series.map((one) => (
                  <th scope="col" key={one.label}>
                    {one.label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {labels.map((label, index) => (
                <tr key={label + String(index)}>
                  <th scope="row">
                    <bdi>{label}</bdi>
                  </th>
                  {series.map((one) => {
                    const value = one.values[index];
                    return <td key={one.label}>{value === null || value === undefined ? "–" : unit(value)}</td>;
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}
