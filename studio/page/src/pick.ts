/* Which particle is under the pointer: only asked on a click, so plain arithmetic over all of them is quick enough. */

import { Matrix4, type PerspectiveCamera, Vector3 } from "three";
import type { Frame } from "./frames";

export interface Cut {
    axis: number | null;
    at: number;
    flipped: boolean;
}

export function positionOf(frame: Frame, index: number): Vector3 {
    const along = (axis: 0 | 1 | 2) =>
        frame.lower[axis] + (frame.positions[3 * index + axis] ?? 0) / 65535 * (frame.upper[axis] - frame.lower[axis]);
    return new Vector3(along(0), along(1), along(2));
}

/** The index of the particle nearest to the eye among those whose balls cover the point (x, y), in units from −1 to 1
 *  across the picture; else the one whose ball is nearest to it; −1 where none is within three radii. */
export function pick(frame: Frame, camera: PerspectiveCamera, x: number, y: number, cut: Cut): number {
    const m = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse).elements as number[];
    const at = (i: number) => m[i]!;
    const tall = camera.projectionMatrix.elements[5]!;
    const low = frame.lower, size = frame.upper.map((upper, axis) => (upper - low[axis]!) / 65535);
    let best = -1, depth = Infinity, nearest = 9, fallback = -1;
    for (let i = 0; i < frame.count; i++) {
        const p = frame.positions;
        const px = low[0] + p[3 * i]! * size[0]!, py = low[1] + p[3 * i + 1]! * size[1]!;
        const pz = low[2] + p[3 * i + 2]! * size[2]!;
        if (cut.axis !== null) {
            const along = cut.axis === 0 ? px : cut.axis === 1 ? py : pz;
            if (cut.flipped ? along < cut.at : along > cut.at) continue;
        }
        const w = at(3) * px + at(7) * py + at(11) * pz + at(15);
        if (w <= 0) continue;
        const dx = ((at(0) * px + at(4) * py + at(8) * pz + at(12)) / w - x) * camera.aspect;
        const dy = (at(1) * px + at(5) * py + at(9) * pz + at(13)) / w - y;
        const reach = tall * frame.radius / w;
        const off = (dx * dx + dy * dy) / (reach * reach);
        if (off <= 1.3 && w < depth) {
            depth = w;
            best = i;
        } else if (off < nearest) {
            nearest = off;
            fallback = i;
        }
    }
    return best >= 0 ? best : fallback;
}
