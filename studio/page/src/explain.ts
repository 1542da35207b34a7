/* What the numbers mean, in a few words each. */

import { element } from "./dom";

interface Topic {
    title: string;
    text: string[];
    /** What follows from the scene that is open. */
    live?: "capillary" | "laplace";
}

const topics: Topic[] = [
    { title: "Particles", text: [
        "Every ball is a small lump of fluid, one spacing h wide, that carries its mass along. Nothing smaller than h can " +
        "be seen, and laws of capillarity need some eight of them across the radius of a drop.",
        "Solids are shown as surfaces. They move as the scene says and do not answer to the fluid."] },
    { title: "Colours", text: [
        "Speed: how fast a particle is. Pressure: what pushes particles apart; near a free surface it contains the " +
        "attraction of the skin, so only the core of a drop shows the pressure that a gauge would.",
        "Interface measure: 0 inside the fluid, and the larger the more a particle is part of the free surface. Where it " +
        "is large, surface tension acts.",
        "The ends of the colours are the smallest and the largest value of the moment, a few outermost ones aside."] },
    { title: "Core pressure", live: "laplace", text: [
        "A curved surface under tension squeezes what it holds: inside a ball of radius R there is 2γ/R more pressure " +
        "than outside (γ/R in 2D), the law of Laplace. The core is what lies deeper than four spacings, and once a free " +
        "drop is at rest the line “core” should settle there. The mean over all particles includes the skin and lies " +
        "well above it."] },
    { title: "Contact angle", text: [
        "The angle inside the fluid at which its surface meets a wall: 0° wets completely, 90° is neutral, at 180° a " +
        "drop hardly touches. It follows from three surface energies by Young's equation. Change it and watch the edge " +
        "creep; contact lines stick a little, here as in nature."] },
    { title: "Friction μ", text: [
        "How hard a wall holds fluid back, as a share of the force with which the fluid presses on it (Coulomb). A drop " +
        "on a slope sticks until gravity pulls harder than μ allows; then it slides. The skin presses a small drop onto " +
        "the wall too, so it may hold on at a μ that its weight alone would not explain."] },
    { title: "Energies", text: [
        "Kinetic: of motion. Surface: γ times the area of all interfaces, solids included. Potential: height in gravity. " +
        "A cube of water that becomes a ball trades surface for kinetic energy and back, and viscosity takes its share " +
        "each time."] },
    { title: "Iterations and residuals", text: [
        "Pressure, surface tension and friction act on each other, so each step searches for forces that agree, again and " +
        "again until three errors are small: of the volume, of the tension's forces and of friction's. These are the " +
        "residuals. A flat line near the tolerance is good; more iterations mean a harder step; a residual that climbs " +
        "means trouble."] },
    { title: "Time step and capillary limit", live: "capillary", text: [
        "Ripples as short as a particle run along the surface; methods that compute forces from the state before a step " +
        "must not step further than √(ρh³/(2πγ)). This solver is implicit and could pass that limit; by default it takes " +
        "0.4 of it, where drops keep their period. Raise γ while it runs and see Δt shrink."] },
    { title: "Steering and repeating", text: [
        "What you change while it runs takes effect at the next step and is written into the scene with its time. " +
        "Download the scene and meniscus run repeats the run, bit for bit."] },
];

export interface Numbers {
    density: number;
    tension: number;
    spacing: number;
    flat: boolean;
    dt: number | null;
    core: number | null;
}

export class Explanation {
    private readonly links = element("p", { class: "soft" });
    private readonly live = new Map<string, HTMLElement>();

    constructor(box: HTMLElement, private readonly say: (value: number, unit: string) => string) {
        box.append(element("h2", {}, "What am I looking at?"), ...topics.map((topic, i) => {
            const now = element("p", { class: "note", hidden: true });
            if (topic.live) this.live.set(topic.live, now);
            const details = element("details", { class: "topic" }, element("summary", {}, topic.title),
                ...topic.text.map((text) => element("p", {}, text)), now);
            details.open = i === 0;
            return details;
        }), this.links);
    }

    /** Where the validation is told in full, if anywhere. */
    link(validation: string | null): void {
        this.links.replaceChildren("How well these laws hold in meniscus, figure by figure: ",
            validation ? element("a", { href: validation, target: "_blank", rel: "noreferrer" }, "the validation page")
                       : "docs/validation.md of the sources", ".");
    }

    /** The same laws with the numbers of the scene. */
    update(now: Numbers): void {
        const limit = Math.sqrt(now.density * now.spacing ** 3 / (2 * Math.PI * now.tension));
        this.put("capillary", now.tension > 0 ? `Here the limit is ${this.say(limit, "s")}` +
            (now.dt === null ? "." : `, and the last step took ${this.say(now.dt, "s")}.`) : null);
        const radius = now.core !== null && now.core > 0 ? (now.flat ? 1 : 2) * now.tension / now.core : 0;
        this.put("laplace", radius > 0 ? `Now the core has ${this.say(now.core!, "Pa")}: that of a free ball with a ` +
            `radius of ${this.say(radius, "m")} at γ = ${this.say(now.tension, "N/m")}.` : null);
    }

    private put(which: string, text: string | null): void {
        const place = this.live.get(which)!;
        place.hidden = text === null;
        place.textContent = text;
    }
}
