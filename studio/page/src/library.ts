/* The scenes that ship, with a picture and a line each, and the way to open a scene file. */

import { byId, element } from "./dom";
import type { SceneCard } from "./messages";

/** A drop on a surface, for scenes without a picture. */
function placeholder(): SVGSVGElement {
    const make = (tag: string, attributes: Record<string, string>) => {
        const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
        for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
        return made;
    };
    const drawing = make("svg", { viewBox: "0 0 320 180", "aria-hidden": "true", class: "card-picture" }) as SVGSVGElement;
    drawing.append(make("path", { d: "M100 130 A62 62 0 1 1 220 130 Z", class: "card-drop" }),
                   make("path", { d: "M40 130 H280", class: "card-floor" }));
    return drawing;
}

/** "drop_on_slope" as people write it. */
export const sceneName = (name: string) => {
    const words = name.replaceAll("_", " ");
    return words.charAt(0).toUpperCase() + words.slice(1);
};

export class Library {
    private readonly box = byId("library");
    private readonly cards = byId("library-cards");
    private readonly file = byId<HTMLInputElement>("library-file");
    private allowed = true;
    private returnTo: HTMLElement | null = null;

    constructor(private readonly open: (scene: string) => void, private readonly openText: (text: string, name: string) => void) {
        byId("library-close").addEventListener("click", () => this.hide());
        byId("library-choose").addEventListener("click", () => this.file.click());
        this.file.addEventListener("change", () => {
            const file = this.file.files?.[0];
            if (file) void this.read(file);
            this.file.value = "";
        });
        this.box.addEventListener("keydown", (event) => {
            if (event.key === "Escape" && !byId("library-close").hidden) this.hide();
        });
        this.acceptDrops();
    }

    fill(scenes: SceneCard[]): void {
        this.cards.replaceChildren(...scenes.map((scene) => element("li", {},
            element("button", { type: "button", class: "card", "data-scene": scene.name,
                                onclick: () => this.allowed && this.open(scene.name) },
                scene.picture
                    ? element("img", { class: "card-picture", src: scene.picture, alt: "", width: 320, height: 180, loading: "lazy" })
                    : placeholder(),
                element("span", { class: "card-name" }, sceneName(scene.name)),
                element("span", { class: "card-title" }, scene.title)))));
        this.allow(this.allowed);
    }

    /** Those who only watch can look but not open. */
    allow(yes: boolean): void {
        this.allowed = yes;
        for (const button of this.box.querySelectorAll<HTMLButtonElement>(".card, #library-choose")) button.disabled = !yes;
    }

    /** Without a scene there is nothing to go back to. */
    show(closable: boolean): void {
        this.returnTo = document.activeElement as HTMLElement | null;
        byId("library-close").hidden = !closable;
        this.box.hidden = false;
        byId("library-open").setAttribute("aria-expanded", "true");
        if (closable) byId("library-close").focus();
    }

    hide(): void {
        if (this.box.hidden) return;
        const focused = this.box.contains(document.activeElement);
        this.box.hidden = true;
        byId("library-open").setAttribute("aria-expanded", "false");
        if (focused) (this.returnTo?.isConnected ? this.returnTo : byId("view")).focus();
    }

    get visible(): boolean {
        return !this.box.hidden;
    }

    private async read(file: File): Promise<void> {
        this.openText(await file.text(), file.name);
    }

    private acceptDrops(): void {
        const veil = byId("drop-veil");
        addEventListener("dragover", (event) => {
            if (!event.dataTransfer?.types.includes("Files")) return;
            event.preventDefault();
            veil.hidden = false;
        });
        addEventListener("dragleave", (event) => {
            if (event.relatedTarget === null) veil.hidden = true;
        });
        addEventListener("drop", (event) => {
            veil.hidden = true;
            const file = event.dataTransfer?.files[0];
            if (!file) return;
            event.preventDefault();
            if (this.allowed) void this.read(file);
        });
    }
}
