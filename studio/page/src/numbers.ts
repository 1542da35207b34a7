/* Numbers as people read them. */

const prefixes = ["n", "µ", "m", "", "k", "M", "G"];

/** A number with three or so figures: 0.072, 1.2×10⁻⁷, 24,300. */
export function plain(value: number): string {
    if (!Number.isFinite(value)) return "–";
    const size = Math.abs(value);
    if (size !== 0 && (size < 1e-3 || size >= 1e6)) {
        const power = Math.floor(Math.log10(size));
        const digits = trim((value / 10 ** power).toFixed(2));
        return `${digits === "1" ? "" : `${digits}×`}10${superscript(power)}`;
    }
    return size >= 1000 ? Math.round(value).toLocaleString("en") : trim(value.toPrecision(3));
}

/** The same in a unit with a prefix that suits, such as 72 mN/m. Units of more than one letter before the slash that
 *  are prefixed already (kg) are left alone. */
export function withUnit(value: number, unit: string): string {
    if (!unit || unit === "°" || unit.startsWith("kg") || unit.startsWith("1/") || value === 0 || !Number.isFinite(value))
        return unit ? `${plain(value)}${unit === "°" ? "" : " "}${unit}` : plain(value);
    const [scaled, prefix] = scale(value);
    return `${plain(scaled)} ${prefix}${unit}`;
}

/** The value in thousands, thousandths and so on, and their prefix. */
export function scale(value: number): [number, string] {
    const step = Math.min(Math.max(Math.floor(Math.log10(Math.abs(value)) / 3 + 1e-9), -3), 3);
    return [value / 1000 ** step, prefixes[step + 3] ?? ""];
}

function trim(text: string): string {
    if (text.includes("e")) return String(Number(text));
    return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

function superscript(power: number): string {
    return [...String(power)].map((sign) => sign === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(sign)]).join("");
}
