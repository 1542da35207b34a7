/* The numbers of one particle, beside the view: picked with the mouse, or by its id. */

import { byId, element } from "./dom";
import type { Particle } from "./messages";
import { plain, withUnit } from "./numbers";

export class Inspector {
    private readonly box = byId("inspector");
    private readonly rows = byId("inspector-rows");
    private readonly id = byId<HTMLInputElement>("inspector-id");

    constructor(private readonly choose: (id: number | null) => void) {
        byId("inspector-close").addEventListener("click", () => choose(null));
        this.id.addEventListener("change", () => {
            if (this.id.checkValidity() && this.id.value !== "") choose(Number(this.id.value));
        });
    }

    /** For particle `id`, whose numbers are yet to come; null: for none. */
    open(id: number | null): void {
        this.box.hidden = id === null;
        if (id === null) return;
        if (document.activeElement !== this.id) this.id.value = String(id);
    }

    show(particle: Particle): void {
        if (!particle.found) {
            this.rows.replaceChildren(element("dt", {}, "There is no particle with this number now."));
            return;
        }
        const vector = (parts: number[], unit: string) => `${parts.map((part) => plain(part)).join(", ")} ${unit}`;
        const millimetres = particle.position.map((part) => 1000 * part);
        const rows: [string, string][] = [
            ["Fluid", particle.fluid ?? "–"], ["Speed", withUnit(particle.speed, "m/s")],
            ["Pressure", withUnit(particle.pressure, "Pa")], ["Interface measure", plain(particle.measure)],
            ["Position", vector(millimetres, "mm")], ["Velocity", vector(particle.velocity, "m/s")],
        ];
        this.rows.replaceChildren(...rows.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
    }

    close(): void {
        this.choose(null);
    }
}
