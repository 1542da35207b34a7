/* Short ways to make and find elements. */

type Child = Node | string | null | undefined;

/** An element with properties, attributes (names with a dash, "role" and "for"), listeners ("on…") and children. */
export function element<K extends keyof HTMLElementTagNameMap>(
    tag: K, options: Record<string, unknown> = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(options)) {
        if (value === undefined || value === null) continue;
        if (name.startsWith("on")) made.addEventListener(name.slice(2), value as EventListener);
        else if (name === "class") made.className = String(value);
        else if (name.includes("-") || name === "role" || name === "for") made.setAttribute(name, String(value));
        else (made as unknown as Record<string, unknown>)[name] = value;
    }
    made.append(...children.filter((child): child is Node | string => child !== null && child !== undefined));
    return made;
}

/** The element of the page with this id; that it is there is a matter of index.html. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
    const found = document.getElementById(id);
    if (!found) throw new Error(`index.html has no #${id}`);
    return found as T;
}

/** Hands a file to the person at the browser. */
export function download(name: string, content: Blob): void {
    const address = URL.createObjectURL(content);
    element("a", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

export function isTyping(target: EventTarget | null): boolean {
    return target instanceof HTMLElement &&
        (target.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName));
}
