/* Tabs as the ARIA practices have them: arrows go from one to the next, only the chosen one is in the tab order. */

import { byId } from "./dom";

export class Tabs {
    private readonly tabs: HTMLElement[];

    constructor(list: HTMLElement) {
        this.tabs = [...list.querySelectorAll<HTMLElement>("[role=tab]")];
        for (const [i, tab] of this.tabs.entries()) {
            tab.addEventListener("click", () => this.choose(tab.id));
            tab.addEventListener("keydown", (event) => {
                const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
                if (by === 0) return;
                const next = this.tabs[(i + by + this.tabs.length) % this.tabs.length]!;
                this.choose(next.id);
                next.focus();
            });
        }
    }

    choose(id: string): void {
        for (const tab of this.tabs) {
            const chosen = tab.id === id;
            tab.setAttribute("aria-selected", String(chosen));
            tab.tabIndex = chosen ? 0 : -1;
            byId(tab.getAttribute("aria-controls")!).hidden = !chosen;
        }
    }
}
