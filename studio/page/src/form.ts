/* Every parameter of the scene, from the schema: name, unit, limits and help, what differs from the default, and what is
 * wrong with it beside it. */

import { element } from "./dom";
import type { Problem, Scene, Schema } from "./messages";
import { plain } from "./numbers";
import { type FieldNode, type GroupNode, readScene } from "./schema";

interface Shown {
    box: HTMLElement;
    control: HTMLElement;
    problem: HTMLElement;
    update(field: FieldNode): void;
}

export class Form {
    private readonly problems = element("div", { class: "problems" });
    private readonly groups = element("div");
    private readonly search: HTMLInputElement;
    private readonly nothing = element("p", { class: "soft", hidden: true }, "Nothing is called that.");
    private readonly note = element("p", { class: "note", hidden: true });
    private shown = new Map<string, Shown>();
    private structure = "";
    private schema: Schema = {};

    /** `set` without a value takes a key out of the scene. */
    constructor(private readonly box: HTMLElement, private readonly set: (path: string, value?: unknown) => void) {
        this.search = element("input", { type: "search", id: "form-search", placeholder: "Search parameters",
                                         "aria-label": "Search parameters", oninput: () => this.filter() });
        box.append(this.search, this.note, this.problems, this.groups, this.nothing);
    }

    use(schema: Schema): void {
        this.schema = schema;
    }

    show(scene: Scene): void {
        let content: unknown = {};
        try {
            content = JSON.parse(scene.text);
        } catch {
            /* The server's problems say where it is broken. */
        }
        const root = readScene(this.schema, content, scene.dimension);
        const fields = new Map<string, FieldNode>();
        const structure = describe(root, fields);
        if (structure !== this.structure) this.build(root, scene.name);
        this.structure = structure;
        for (const [path, field] of fields) this.shown.get(path)?.update(field);
        this.showProblems(scene.problems);
    }

    /** Why it cannot be edited now, or null where it can. */
    lock(reason: string | null): void {
        this.note.hidden = reason === null;
        this.note.textContent = reason;
        for (const control of this.groups.querySelectorAll<HTMLInputElement>("input, select, button"))
            control.disabled = reason !== null;
    }

    /** Shows an error beside the field it is about; says whether there is one. */
    complain(path: string, text: string): boolean {
        const shown = this.nearest(path);
        if (!shown) return false;
        this.put(shown, [{ path, text, line: 0, column: 0, warning: false }]);
        return true;
    }

    private build(root: GroupNode, scene: string): void {
        const open = new Set([...this.groups.querySelectorAll<HTMLDetailsElement>("details[open]")].map((d) => d.dataset.path));
        const same = this.groups.dataset.of === scene;
        const focused = (document.activeElement as HTMLElement | null)?.id ?? "";
        this.shown.clear();
        this.groups.dataset.of = scene;
        this.groups.replaceChildren(...root.groups.map((group) => this.group(group, 0, (path, depth) =>
            same ? open.has(path) : depth === 0 && (path === "" || path === "fluids" || path === "solids"))));
        if (focused.startsWith("field-")) document.getElementById(focused)?.focus();
        this.filter();
    }

    private group(group: GroupNode, depth: number, isOpen: (path: string, depth: number) => boolean): HTMLElement {
        const details = element("details", { class: `group depth-${Math.min(depth, 3)}`, "data-path": group.path },
            element("summary", {}, group.name),
            group.help ? element("p", { class: "help" }, group.help) : null,
            ...group.fields.map((field) => this.field(field)),
            ...group.groups.map((inner) => this.group(inner, depth + 1, isOpen)),
            group.removable ? element("button", { type: "button", class: "small", onclick: () => this.set(group.path) },
                `Remove ${group.name.toLowerCase()}`) : null);
        details.open = isOpen(group.path, depth) || (depth > 0 && group.groups.length + group.fields.length < 4);
        return details;
    }

    private field(field: FieldNode): HTMLElement {
        const id = `field-${field.path}`;
        const problem = element("p", { class: "problem", id: `${id}-problem`, hidden: true });
        const help = element("p", { class: "help", id: `${id}-help` }, field.help, limits(field));
        const reset = element("button", { type: "button", class: "reset", title: "Back to the default",
            "aria-label": `${field.name}: back to the default`, onclick: () => this.set(field.path) }, "↺");
        const { control, put } = this.control(field, id);
        control.setAttribute("aria-describedby", `${help.id} ${problem.id}`);
        const box = element("div", { class: "field", "data-path": field.path, "data-words": words(field) },
            element("label", { for: id }, field.name), control,
            element("span", { class: "unit" }, field.unit), reset, help, problem);
        this.shown.set(field.path, { box, control, problem, update: (now) => {
            const changed = now.value !== undefined && !now.required &&
                JSON.stringify(now.value) !== JSON.stringify(now.fallback);
            box.classList.toggle("changed", changed);
            reset.hidden = now.value === undefined || now.required;
            if (!control.contains(document.activeElement)) put(now.value);
        } });
        return box;
    }

    private control(field: FieldNode, id: string): { control: HTMLElement; put: (value: unknown) => void } {
        const send = (value: unknown) => this.set(field.path, value);
        if (field.input === "switch") {
            const box = element("input", { type: "checkbox", id, role: "switch", onchange: () => send(box.checked) });
            return { control: box, put: (value) => { box.checked = Boolean(value ?? field.fallback); } };
        }
        if (field.input === "choice") {
            const list = element("select", { id, onchange: () => send(list.value) },
                ...field.options.map((option) => element("option", { value: option }, option)));
            return { control: list, put: (value) => { list.value = String(value ?? field.fallback ?? ""); } };
        }
        if (field.input === "vector") return this.vector(field, id, send);
        if (field.input === "number" || field.input === "integer") {
            const input = numberInput(field, id, field.fallback);
            input.addEventListener("change", () => this.sendNumber(field, input));
            return { control: input, put: (value) => { input.value = value === undefined ? "" : String(value); } };
        }
        const text = element("input", { type: "text", id, onchange: () =>
            send(text.value === "" && !field.required ? undefined : field.input === "json" ? parse(text.value) : text.value) });
        return { control: text, put: (value) => {
            text.value = value === undefined ? "" : field.input === "json" ? JSON.stringify(value) : String(value);
        } };
    }

    private vector(field: FieldNode, id: string, send: (value: unknown) => void): ReturnType<Form["control"]> {
        const fallback = Array.isArray(field.fallback) ? field.fallback as unknown[] : [];
        const inputs = Array.from({ length: field.length }, (_, i) =>
            numberInput(field, i === 0 ? id : `${id}-${i}`, fallback[i]));
        inputs.forEach((input, i) => {
            input.setAttribute("aria-label", `${field.name}, ${"xyzw"[i] ?? i + 1}`);
            input.addEventListener("change", () => {
                const texts = inputs.map((other) => other.value);
                if (texts.every((text) => text === "")) return send(undefined);
                if (inputs.some((other) => !other.checkValidity())) return void this.complain(field.path, input.validationMessage);
                send(texts.map((text, j) => text === "" ? Number(fallback[j] ?? 0) : Number(text)));
            });
        });
        return {
            control: element("span", { class: "vector" }, ...inputs),
            put: (value) => inputs.forEach((input, i) => {
                const part = Array.isArray(value) ? value[i] as unknown : undefined;
                input.value = part === undefined ? "" : String(part);
            }),
        };
    }

    /** What the browser itself can tell is wrong does not go to the server. */
    private sendNumber(field: FieldNode, input: HTMLInputElement): void {
        const value = input.valueAsNumber;
        if (input.value === "" && !input.validity.badInput && !field.required) return this.set(field.path);
        if (!Number.isFinite(value)) return void this.complain(field.path, "This has to be a number.");
        this.set(field.path, value);
    }

    private showProblems(problems: Problem[]): void {
        for (const shown of this.shown.values()) this.put(shown, []);
        const homeless: Problem[] = [];
        const byField = new Map<Shown, Problem[]>();
        for (const problem of problems) {
            const shown = this.nearest(problem.path);
            if (shown) byField.set(shown, [...byField.get(shown) ?? [], problem]);
            else homeless.push(problem);
        }
        for (const [shown, list] of byField) this.put(shown, list);
        this.problems.replaceChildren(
            ...[...byField].map(([shown, list]) => element("button", { type: "button",
                class: list.every((problem) => problem.warning) ? "problem-link warning" : "problem-link",
                onclick: () => this.reveal(shown) }, `${list[0]!.path}: ${list[0]!.text}`)),
            ...homeless.map((problem) => element("p", { class: problem.warning ? "problem warning" : "problem" },
                [problem.line > 0 ? `line ${problem.line}: ` : "", problem.path ? `${problem.path}: ` : "", problem.text].join(""))));
    }

    private put(shown: Shown, problems: Problem[]): void {
        shown.problem.hidden = problems.length === 0;
        shown.problem.textContent = problems.map((problem) => problem.text).join(" ");
        shown.problem.classList.toggle("warning", problems.length > 0 && problems.every((problem) => problem.warning));
        const wrong = problems.some((problem) => !problem.warning);
        for (const input of [shown.control, ...shown.control.querySelectorAll("input")])
            input.setAttribute("aria-invalid", String(wrong));
    }

    /** The field of a path, or of what it is part of. */
    private nearest(path: string): Shown | null {
        for (let at = path; at; at = at.replace(/(\.[^.[\]]*|\[\d+\])$|^[^.[\]]*$/, "")) {
            const found = this.shown.get(at);
            if (found) return found;
        }
        return null;
    }

    private reveal(shown: Shown): void {
        for (let at: HTMLElement | null = shown.box; at && at !== this.box; at = at.parentElement)
            if (at instanceof HTMLDetailsElement) at.open = true;
        (shown.control.querySelector("input") ?? shown.control).focus();
    }

    private filter(): void {
        const wanted = this.search.value.trim().toLowerCase();
        let found = 0;
        for (const { box } of this.shown.values()) {
            box.hidden = wanted !== "" && !box.dataset.words!.includes(wanted);
            if (!box.hidden) found++;
        }
        for (const details of [...this.groups.querySelectorAll("details")].reverse()) {
            const matches = details.querySelector(".field:not([hidden])") !== null;
            details.hidden = wanted !== "" && !matches;
            if (wanted !== "" && matches) details.open = true;
        }
        this.nothing.hidden = found > 0;
    }
}

function numberInput(field: FieldNode, id: string, fallback: unknown): HTMLInputElement {
    return element("input", {
        type: "number", id, step: field.input === "integer" ? "1" : "any", required: field.required,
        min: field.minimum === undefined ? undefined : String(field.minimum),
        max: field.maximum === undefined ? undefined : String(field.maximum),
        placeholder: fallback === undefined ? "auto" : String(fallback),
    });
}

function limits(field: FieldNode): string {
    if (field.minimum === undefined || field.maximum === undefined || field.input === "choice") return "";
    return ` From ${field.exclusive ? "above " : ""}${plain(field.minimum)} to ${plain(field.maximum)}.`;
}

const words = (field: FieldNode) => `${field.path} ${field.name} ${field.help} ${field.unit}`.toLowerCase();

function parse(text: string): unknown {
    try {
        return JSON.parse(text) as unknown;
    } catch {
        return text;
    }
}

/** What the form looks like, values aside; collects its fields by path. */
function describe(group: GroupNode, fields: Map<string, FieldNode>): string {
    for (const field of group.fields) fields.set(field.path, field);
    const own = group.fields.map((field) => `${field.path}:${field.input}:${field.length}`).join(",");
    return `${group.name}(${own};${group.groups.map((inner) => describe(inner, fields)).join(";")})`;
}
