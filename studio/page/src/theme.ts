/* Light or dark: as the system has it, or as somebody has said here. */

export type Theme = "light" | "dark";

const key = "meniscus-theme";
const system = matchMedia("(prefers-color-scheme: dark)");

export function themeNow(): Theme {
    const chosen = localStorage.getItem(key);
    return chosen === "light" || chosen === "dark" ? chosen : system.matches ? "dark" : "light";
}

/** Calls `changed` now and whenever it changes; the button switches. */
export function startTheme(button: HTMLButtonElement, changed: (theme: Theme) => void): void {
    const apply = () => {
        const theme = themeNow();
        document.documentElement.dataset.theme = theme;
        button.setAttribute("aria-label", theme === "dark" ? "Switch to light" : "Switch to dark");
        button.dataset.icon = theme === "dark" ? "sun" : "moon";
        changed(theme);
    };
    button.addEventListener("click", () => {
        localStorage.setItem(key, themeNow() === "dark" ? "light" : "dark");
        apply();
    });
    system.addEventListener("change", apply);
    apply();
}
