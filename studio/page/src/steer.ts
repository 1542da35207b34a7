/* Sliders for what can be changed while it runs: surface tension, contact angles, friction, viscosity, gravity. */

import { element } from "./dom";
import type { Steerable } from "./messages";
import { withUnit } from "./numbers";

/* A slider has so many places. */
const places = 1000;
/* While a slider is dragged a value is sent this often: each is recorded in the scene. */
const sendEvery = 250; /* ms */

interface Range {
    low: number;
    high: number;
    log: boolean;
}

/** What a slider spans, within the limits, which are far apart. Angles have theirs; pure numbers such as μ are most
 *  interesting up to one or so; all else goes by factors, two decades to either side of where it is, and where the
 *  lower limit is 0 that is the left end. */
export function rangeOf(item: Steerable, value: number): Range {
    const { minimum, maximum } = item;
    if (item.unit === "°") return { low: minimum, high: maximum, log: false };
    if (item.unit === "") return { low: minimum, high: Math.min(Math.max(1.5, 1.5 * value), maximum), log: false };
    const centre = value > 0 ? value : 0.01;
    return { low: Math.max(centre / 100, minimum), high: Math.min(centre * 100, maximum), log: true };
}

export function toPlace(range: Range, value: number): number {
    if (!range.log) return places * (value - range.low) / (range.high - range.low);
    if (value < range.low) return 0;
    return 1 + (places - 1) * Math.log(value / range.low) / Math.log(range.high / range.low);
}

export function fromPlace(range: Range, place: number, minimum: number): number {
    if (!range.log) return tidy(range.low + (range.high - range.low) * place / places);
    if (place < 1) return Math.min(minimum, range.low);
    return tidy(range.low * (range.high / range.low) ** ((place - 1) / (places - 1)));
}

/* What people call the keys of a scene that can be steered. */
const names: [RegExp, string][] = [
    [/^gravity$/, "Gravity"],
    [/^fluids\.(.+)\.tension\.vapor$/, "Surface tension γ"],
    [/^fluids\.(.+)\.tension\.fluid$/, "Tension to other fluids"],
    [/^fluids\.(.+)\.viscosity$/, "Viscosity"],
    [/^solids\.(.+)\.tension\.vapor$/, "Energy of the dry wall"],
    [/^solids\.(.+)\.tension\.fluid$/, "Energy of the wet wall"],
    [/^solids\.(.+?)\.contact_angle(?:\.(.+))?$/, "Contact angle"],
    [/^solids\.(.+?)\.friction(?:\.(.+))?$/, "Friction μ"],
];

/** A name and whose it is: "Friction μ", "slope". */
export function nameOf(path: string): [string, string] {
    for (const [pattern, name] of names) {
        const found = pattern.exec(path);
        if (found) return [name, found.slice(1).filter(Boolean).join(", ")];
    }
    return [path, ""];
}

const tidy = (value: number) => Number(value.toPrecision(3));

/** The same in one text. */
export const said = (item: Steerable) => nameOf(item.path).filter(Boolean).join(", ");

interface Control {
    item: Steerable;
    problem: HTMLElement;
    /** Shows the value that it has now. */
    put(value: Steerable["value"]): void;
    /** Whether somebody is at it. */
    busy(): boolean;
}

export class Steering {
    private controls: Control[] = [];
    private shape = "";
    private lastSent = 0;

    constructor(private readonly box: HTMLElement, private readonly send: (item: Steerable, value: number | number[]) => void) {}

    show(items: Steerable[], flat: boolean): void {
        const shape = JSON.stringify(items.map((item) => [item.path, Array.isArray(item.value), item.driven, flat]));
        if (shape === this.shape) {
            this.controls.forEach((control, i) => this.update(control, items[i]!));
            return;
        }
        this.shape = shape;
        this.controls = [];
        this.box.replaceChildren(...items.map((item) =>
            Array.isArray(item.value) ? this.vector(item, flat) : this.number(item)));
    }

    enable(yes: boolean): void {
        for (const input of this.box.querySelectorAll("input")) input.disabled = !yes;
    }

    /** What was refused is told beside its slider, which goes back to what holds. Says whether there is one. */
    complain(path: string, text: string): boolean {
        const control = this.controls.find(({ item }) => item.path === path);
        if (!control) return false;
        control.put(control.item.value);
        control.problem.textContent = text;
        control.problem.hidden = false;
        return true;
    }

    private update(control: Control, item: Steerable): void {
        const changed = JSON.stringify(control.item.value) !== JSON.stringify(item.value);
        control.item = item;
        if (changed) control.problem.hidden = true;
        if (!control.busy()) control.put(item.value);
    }

    private number(item: Steerable): HTMLElement {
        const id = `steer-${item.path}`;
        let range = rangeOf(item, item.value as number);
        const slider = element("input", { type: "range", id, min: "0", max: String(places), step: "1" });
        const field = element("input", { type: "number", step: "any", "aria-label": `${said(item)}, number`,
                                         min: String(item.minimum), max: String(item.maximum) });
        const put = (value: number) => {
            slider.value = String(toPlace(range, value));
            slider.setAttribute("aria-valuetext", `${value} ${item.unit}`);
            field.value = String(value);
        };
        put(item.value as number);
        this.wire(slider, field, () => fromPlace(range, Number(slider.value), item.minimum), (value) => {
            field.value = String(value);
            this.send(item, value);
        }, (value) => {
            range = widened(range, item, value);
            put(value);
            this.send(item, value);
        });
        return this.row(item, id, slider, field, (now) => {
            range = widened(range, item, now as number);
            put(now as number);
        });
    }

    /** Gravity: how strong along its direction, and the direction itself in numbers. */
    private vector(item: Steerable, flat: boolean): HTMLElement {
        const id = `steer-${item.path}`;
        const value = [...item.value as number[]];
        const most = Math.max(20, 2 * Math.hypot(...value));
        const range: Range = { low: 0, high: most, log: false };
        const axes = flat ? ["x", "y"] : ["x", "y", "z"];
        const slider = element("input", { type: "range", id, min: "0", max: String(places), step: "1" });
        const inputs = axes.map((axis) => element("input", { type: "number", step: "any",
            "aria-label": `${said(item)}, ${axis}`, min: String(item.minimum), max: String(item.maximum) }));
        const put = () => {
            slider.value = String(toPlace(range, Math.min(Math.hypot(...value), most)));
            slider.setAttribute("aria-valuetext", `${tidy(Math.hypot(...value))} ${item.unit}`);
            inputs.forEach((input, i) => input.value = String(value[i] ?? 0));
        };
        put();
        /* Where gravity has no direction yet it pulls downwards. */
        const strengthen = () => {
            const strength = fromPlace(range, Number(slider.value), 0), length = Math.hypot(...value);
            const down = value.map((_, i) => i === axes.length - 1 ? -1 : 0);
            const direction = length > 0 ? value.map((part) => part / length) : down;
            if (strength > 0) direction.forEach((part, i) => value[i] = tidy(part * strength) + 0);
            return strength > 0 ? [...value] : value.map(() => 0);
        };
        const say = (now: number[]) => {
            inputs.forEach((input, i) => input.value = String(now[i] ?? 0));
            this.send(item, now);
        };
        this.drag(slider, () => say(strengthen()));
        inputs.forEach((input, i) => input.addEventListener("change", () => {
            if (!input.checkValidity() || input.value === "") return;
            value[i] = Number(input.value);
            put();
            this.send(item, [...value]);
        }));
        return this.row(item, id, slider, element("span", { class: "vector" }, ...inputs), (now) => {
            const next = now as number[];
            if (Math.hypot(...next) > 0) next.forEach((part, i) => value[i] = part);
            slider.value = String(toPlace(range, Math.min(Math.hypot(...next), most)));
            inputs.forEach((input, i) => input.value = String(next[i] ?? 0));
        });
    }

    private wire(slider: HTMLInputElement, field: HTMLInputElement, read: () => number, dragged: (value: number) => void,
                 typed: (value: number) => void): void {
        this.drag(slider, () => dragged(read()));
        field.addEventListener("change", () => {
            if (field.checkValidity() && field.value !== "") typed(Number(field.value));
            else field.reportValidity();
        });
    }

    private drag(slider: HTMLInputElement, act: () => void): void {
        let sent = "";
        const send = () => {
            if (slider.value === sent) return;
            sent = slider.value;
            this.lastSent = performance.now();
            act();
        };
        slider.addEventListener("pointerdown", () => sent = slider.value);
        slider.addEventListener("input", () => {
            if (performance.now() - this.lastSent >= sendEvery) send();
        });
        slider.addEventListener("change", send);
    }

    private row(item: Steerable, id: string, slider: HTMLElement, fields: HTMLElement, put: Control["put"]): HTMLElement {
        const driven = item.driven.map(([from, until]) => `from ${withUnit(from, "s")} to ${withUnit(until, "s")}`).join(", ");
        const help = element("p", { class: "help", id: `${id}-help` }, item.help.replace(/\s*Unit: .+$/, ""),
            driven ? ` The scene itself changes this ${driven}; what you set before that replaces it.` : "");
        const problem = element("p", { class: "problem", id: `${id}-problem`, hidden: true });
        slider.setAttribute("aria-describedby", `${help.id} ${problem.id}`);
        this.controls.push({ item, problem, put,
                             busy: () => fields.contains(document.activeElement) || slider.matches(":active") });
        const [name, owner] = nameOf(item.path);
        return element("div", { class: "steer-row" },
            element("label", { for: id }, name, owner ? element("span", { class: "unit" }, ` ${owner}`) : null), fields,
            element("span", { class: "unit" }, item.unit), slider, help, problem);
    }
}

/** A range that has the value in it. */
function widened(range: Range, item: Steerable, value: number): Range {
    return value > range.high || (range.log && value > 0 && value < range.low) ? rangeOf(item, value) : range;
}
