/* Which colour is which number: a bar with its ends and a few steps between, or the names of the fluids. */

import { colourOf, colourOfKind, css } from "./colour";
import { byId, element } from "./dom";
import type { Frame } from "./frames";
import type { Field } from "./messages";
import { plain, scale } from "./numbers";

export const fieldNames: Record<Field, string> =
    { speed: "Speed", pressure: "Pressure", measure: "Interface measure", phase: "Fluid" };
export const fieldUnits: Record<Field, string> = { speed: "m/s", pressure: "Pa", measure: "", phase: "" };

/** What a legend says, for the page and for pictures. */
export interface LegendText {
    title: string;
    ticks: { at: number; text: string }[];
    kinds: { colour: string; text: string }[];
}

export function legendOf(frame: Frame, fluids: string[]): LegendText {
    if (frame.field === "phase")
        return { title: fieldNames.phase, ticks: [],
                 kinds: fluids.map((text, i) => ({ colour: css(colourOfKind(i)), text })) };
    const unit = fieldUnits[frame.field];
    const most = Math.max(Math.abs(frame.low), Math.abs(frame.high));
    const [scaled, prefix] = unit && most > 0 ? scale(most) : [most, ""];
    const factor = most > 0 ? scaled / most : 1;
    const low = frame.low * factor, high = frame.high * factor, range = high - low;
    const title = unit ? `${fieldNames[frame.field]}, ${prefix}${unit}` : fieldNames[frame.field];
    if (!(range > 0)) return { title, kinds: [], ticks: [{ at: 0, text: plain(low) }] };
    const step = stepOf(range);
    const ticks = [];
    for (let i = Math.ceil(low / step - 1e-6); i * step <= high + 1e-6 * step; i++)
        ticks.push({ at: (i * step - low) / range, text: plain(Number((i * step).toPrecision(6))) });
    return { title, ticks, kinds: [] };
}

/** 1, 2 or 5 times a power of ten that divides the range into three to six or so. */
function stepOf(range: number): number {
    const power = 10 ** Math.floor(Math.log10(range / 3));
    const share = range / 3 / power;
    return power * (share >= 5 ? 5 : share >= 2 ? 2 : 1);
}

export class Legend {
    private readonly box = byId("legend");
    private readonly title = element("div", { class: "legend-title" });
    private readonly bar = element("canvas", { class: "legend-bar", width: 256, height: 1 });
    private readonly scale = element("div", { class: "legend-scale" });
    private last = "";

    constructor() {
        const pen = this.bar.getContext("2d")!;
        for (let i = 0; i < 256; i++) {
            pen.fillStyle = css(colourOf(i / 255));
            pen.fillRect(i, 0, 1, 1);
        }
        this.bar.setAttribute("aria-hidden", "true");
        this.box.append(this.title, this.bar, this.scale);
    }

    show(frame: Frame, fluids: string[]): void {
        const text = legendOf(frame, fluids), now = JSON.stringify(text);
        if (now === this.last) return;
        this.last = now;
        this.box.hidden = false;
        this.title.textContent = text.title;
        this.bar.hidden = text.kinds.length > 0;
        this.scale.className = text.kinds.length > 0 ? "legend-kinds" : "legend-scale";
        this.scale.replaceChildren(
            ...text.ticks.map((tick) => {
                const label = element("span", {}, tick.text);
                label.style.left = `${100 * tick.at}%`;
                return label;
            }),
            ...text.kinds.map((kind) => {
                const dot = element("i");
                dot.style.background = kind.colour;
                return element("span", {}, dot, kind.text);
            }));
    }

    hide(): void {
        this.last = "";
        this.box.hidden = true;
    }
}
