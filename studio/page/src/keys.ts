/* Single keys for what is done often, wherever the focus is but in a field. */

import { byId, element, isTyping } from "./dom";

export interface Shortcut {
    key: string;
    /** As it is written for people. */
    shown?: string;
    says: string;
    act: () => void;
}

/** Keys that belong to the view itself, told in the same list. */
const viewKeys: [string, string][] = [
    ["← ↑ → ↓", "turn the view (when it has the focus)"], ["Shift + arrows", "slide it"], ["+ −", "nearer, further"],
    ["Enter", "read the particle in the middle"],
];

export function startKeys(shortcuts: Shortcut[]): void {
    const dialog = byId<HTMLDialogElement>("keys");
    const open = () => dialog.showModal();
    const all: Shortcut[] = [...shortcuts, { key: "?", says: "this list", act: open }];
    byId("keys-open").addEventListener("click", open);
    byId("keys-list").append(...[...all.map(({ key, shown, says }) => [shown ?? key, says]), ...viewKeys].flatMap(([key, says]) =>
        [element("dt", {}, element("kbd", {}, key)), element("dd", {}, says)]));
    addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
        const target = event.target as HTMLElement;
        if (isTyping(target) && event.key !== "Escape") return;
        if (event.key === " " && /^(BUTTON|SUMMARY|A)$/.test(target.tagName)) return;
        const shortcut = all.find(({ key }) => key === event.key);
        if (!shortcut) return;
        event.preventDefault();
        shortcut.act();
    });
}
