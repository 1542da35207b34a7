/* Charts over simulated time: what the solver did in each step and what the fluid has in energy and pressure. */

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { element } from "./dom";
import type { Points } from "./messages";
import { plain, withUnit } from "./numbers";

interface Line {
    column: string;
    label: string;
}

interface ChartKind {
    title: string;
    unit: string;
    log?: boolean;
    lines: Line[];
}

const kinds: ChartKind[] = [
    { title: "Energies", unit: "J", lines: [
        { column: "kinetic", label: "kinetic" }, { column: "surface", label: "surface" },
        { column: "potential", label: "potential" }] },
    { title: "Pressure", unit: "Pa", lines: [
        { column: "mean_pressure", label: "mean" }, { column: "core_pressure", label: "core" }] },
    { title: "Iterations a step", unit: "", lines: [{ column: "iterations", label: "iterations" }] },
    { title: "Residuals", unit: "", log: true, lines: [
        { column: "residual_volume", label: "volume" }, { column: "residual_tension", label: "tension" },
        { column: "residual_friction", label: "friction" }] },
    { title: "Time step", unit: "s", lines: [{ column: "dt", label: "Δt" }] },
];

/* A page that is open for hours keeps so many rows: every other one is dropped where there are more. */
const mostRows = 4000;
const redrawEvery = 200; /* ms */
const height = 108;

type Column = (number | null)[];

export class Charts {
    private readonly columns = new Map<string, Column>();
    private readonly charts: { plot: uPlot; kind: ChartKind; value: HTMLElement }[] = [];
    private marks: { time: number }[] = [];
    private timer = 0;
    /** In 2D masses are per metre of depth, and so are energies. */
    flat = false;

    constructor(private readonly box: HTMLElement) {
        for (const kind of kinds) this.add(kind);
        new ResizeObserver(() => this.resize()).observe(box);
        this.redraw();
    }

    add(kind: ChartKind): void {
        const value = element("span", { class: "chart-value" });
        const keys = kind.lines.map((line, i) =>
            element("span", { class: `key line-${i}` }, kind.lines.length > 1 ? line.label : ""));
        const place = element("div", { class: "chart-plot", role: "img", "aria-label": `${kind.title} over time` });
        this.box.append(element("section", { class: "chart" },
            element("h3", {}, kind.title,
                element("span", { class: "keys" }, ...(kind.lines.length > 1 ? keys : [])), value), place));
        const ink = () => getComputedStyle(document.documentElement).getPropertyValue("--ink-soft");
        const faint = () => getComputedStyle(document.documentElement).getPropertyValue("--edge");
        const axis = { stroke: ink, font: "11px system-ui", ticks: { show: false }, grid: { stroke: faint, width: 1 } };
        const plot = new uPlot({
            width: 300, height, legend: { show: false }, cursor: { show: true, drag: { x: false, y: false }, y: false },
            padding: [6, 8, 0, 0],
            scales: { x: { time: false }, y: kind.log ? { distr: 3 } : {} },
            axes: [{ ...axis, size: 22, gap: 3, values: (_, ticks) => ticks.map((tick) => withUnit(tick, "s")) },
                   { ...axis, size: 60, gap: 4, values: (_, ticks) => ticks.map((tick) =>
                       tick === null ? "" : this.say(kind, tick)) }],
            series: [{}, ...kind.lines.map((line, i) => ({
                label: line.label, spanGaps: true, width: 1.6, points: { show: false },
                stroke: () => getComputedStyle(document.documentElement).getPropertyValue(`--line-${i}`),
            }))],
            hooks: { draw: [(drawn) => this.drawMarks(drawn)], setCursor: [(hovered) => this.hover(hovered)] },
        }, [[], ...kind.lines.map(() => [])], place);
        this.charts.push({ plot, kind, value });
    }

    private say(kind: ChartKind, value: number): string {
        return kind.unit ? withUnit(value, kind.unit === "J" ? this.energyUnit : kind.unit) : plain(value);
    }

    get energyUnit(): string {
        return this.flat ? "J/m" : "J";
    }

    take(points: Points): void {
        if (points.first) this.columns.clear();
        points.columns.forEach((name, i) => {
            const column = this.column(name);
            for (const row of points.rows) column.push(row[i] ?? null);
        });
        if (this.column("time").length > mostRows)
            for (const [name, column] of this.columns) this.columns.set(name, column.filter((_, i) => i % 2 === 1));
        this.soon();
    }

    /** The last number of a column that there is. */
    latest(name: string): number | null {
        return this.column(name).findLast((value) => value !== null) ?? null;
    }

    /** Lines at what was steered, in place of those before. */
    mark(marks: { time: number }[]): void {
        this.marks = marks;
        this.soon();
    }

    clear(): void {
        this.columns.clear();
        this.soon();
    }

    /** Colours may have changed. */
    repaint(): void {
        for (const chart of this.charts) chart.plot.redraw(false, true);
    }

    private column(name: string): Column {
        const found = this.columns.get(name);
        if (found) return found;
        const made: Column = [];
        this.columns.set(name, made);
        return made;
    }

    private soon(): void {
        if (!this.timer) this.timer = setTimeout(() => this.redraw(), redrawEvery);
    }

    private redraw(): void {
        this.timer = 0;
        if (this.box.offsetParent === null) return;
        const time = this.column("time") as number[];
        for (const { plot, kind, value } of this.charts) {
            plot.setData([time, ...kind.lines.map((line) => this.drawable(line.column, kind.log === true))] as uPlot.AlignedData);
            const now = kind.lines.length === 1 ? this.latest(kind.lines[0]!.column) : null;
            value.textContent = now === null ? "" : plain(now);
        }
    }

    /** Logarithms know no zero. */
    private drawable(name: string, log: boolean): Column {
        const column = this.column(name);
        const filled = column.length === this.column("time").length ? column : this.column("time").map(() => null);
        return log ? filled.map((value) => value !== null && value > 0 ? value : null) : filled;
    }

    private resize(): void {
        const width = Math.floor(this.box.clientWidth);
        if (width === 0) return;
        for (const { plot } of this.charts) plot.setSize({ width, height });
        this.redraw();
    }

    private hover(plot: uPlot): void {
        const chart = this.charts.find((candidate) => candidate.plot === plot);
        const index = plot.cursor.idx;
        if (!chart || index === null || index === undefined) return;
        const said = chart.kind.lines.map((line) => this.say(chart.kind, this.column(line.column)[index] ?? NaN));
        chart.value.textContent = `${said.join(" · ")} at ${withUnit(this.column("time")[index] ?? 0, "s")}`;
    }

    private drawMarks(plot: uPlot): void {
        const { ctx } = plot, { left, top, width, height: tall } = plot.bbox;
        ctx.save();
        ctx.strokeStyle = getComputedStyle(document.documentElement).getPropertyValue("--accent");
        ctx.setLineDash([3, 3]);
        for (const mark of this.marks) {
            const x = plot.valToPos(mark.time, "x", true);
            if (x < left || x > left + width) continue;
            ctx.beginPath();
            ctx.moveTo(x, top);
            ctx.lineTo(x, top + tall);
            ctx.stroke();
        }
        ctx.restore();
    }
}
