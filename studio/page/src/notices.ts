/* What the page has to say: banners that stay while something is the case, and notes that pass. */

import { byId, element } from "./dom";

const noteStays = 8000; /* ms */

/** A passing note, which screen readers say too. */
export function note(text: string, kind: "error" | "info" = "info"): void {
    const box = byId("notes");
    const made = element("div", { class: `note-card ${kind}` }, element("span", {}, text),
        element("button", { type: "button", "aria-label": "Dismiss", onclick: () => made.remove() }, "×"));
    while (box.children.length > 2) box.firstElementChild!.remove();
    box.append(made);
    setTimeout(() => made.remove(), noteStays);
}

export interface BannerAction {
    label: string;
    disabled?: boolean;
    act: () => void;
}

/** A banner by name; without a text it goes away. */
export function banner(name: string, text: string | null, kind: "error" | "info" = "info", actions: BannerAction[] = []): void {
    const box = byId("banners");
    const old = box.querySelector(`[data-name="${name}"]`);
    const now = JSON.stringify([text, actions.map((action) => [action.label, action.disabled])]);
    if (text === null) return void old?.remove();
    if (old instanceof HTMLElement && old.dataset.says === now) return;
    const made = element("div", { class: `banner ${kind}`, "data-name": name, "data-says": now }, element("span", {}, text),
        ...actions.map((action) => element("button", { type: "button", class: "small", disabled: action.disabled ?? false,
                                                       onclick: action.act }, action.label)));
    if (old) old.replaceWith(made);
    else box.append(made);
}
