/* Colours for numbers, the same as those of `meniscus render`: computed in Oklab [Ottosson 2020], where distances are
 * about those that eyes see. Lightness rises evenly and the hue turns evenly, from dark violet by green to light
 * yellow, so that it reads in grey and without a sense of red and green. */

export type Rgb = [number, number, number];

function fromOklab(lightness: number, a: number, b: number): Rgb {
    const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
    const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
    const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
    return [4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
            -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
            -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s].map(toScreen) as Rgb;
}

/** Linear light to a byte of sRGB. */
function toScreen(linear: number): number {
    const x = Math.min(Math.max(linear, 0), 1);
    return Math.round(255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055));
}

function fromHue(lightness: number, strength: number, degrees: number): Rgb {
    const angle = degrees * Math.PI / 180;
    return fromOklab(lightness, strength * Math.cos(angle), strength * Math.sin(angle));
}

/** For t from 0 to 1. */
export function colourOf(t: number): Rgb {
    const off = t - 0.45;
    return fromHue(0.28 + 0.64 * t, 0.098 + (t < 0.45 ? 0.2 : 0.3) * off * off, 305 - 200 * t);
}

const hues = [250, 55, 150, 330, 100, 200];
export const kinds = 12;

/** One that is told apart from those of neighbouring numbers. */
export function colourOfKind(kind: number): Rgb {
    const k = kind % kinds;
    return fromHue(k < 6 ? 0.62 : 0.8, 0.12, hues[k % 6] ?? 0);
}

export const css = ([r, g, b]: Rgb) => `rgb(${r} ${g} ${b})`;

/** `size` colours of either kind, four bytes each, as a texture wants them. */
export function table(size: number, of: (index: number) => Rgb): Uint8Array {
    const bytes = new Uint8Array(4 * size);
    for (let i = 0; i < size; i++) bytes.set([...of(i), 255], 4 * i);
    return bytes;
}
