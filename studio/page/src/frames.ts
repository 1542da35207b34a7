/* Binary messages: a frame of particles, the meshes of the solids. Arrays are views into the message, nothing is copied
 * and nothing is done per particle. All of it is little endian, as every machine that runs a browser is. */

import type { Field, Vector } from "./messages";

const magic = 0x314e4d53;
export const fields: readonly Field[] = ["speed", "pressure", "measure", "phase"];

export interface Frame {
    sequence: number;
    count: number;
    time: number;
    step: number;
    /** Number of a recorded frame, −1 for a live one. */
    number: number;
    lower: Vector;
    upper: Vector;
    low: number;
    high: number;
    field: Field;
    /** Half of the spacing, m. */
    radius: number;
    /** Three each, from `lower` (0) to `upper` (65535). */
    positions: Uint16Array;
    /** From `low` to `high`. */
    values: Uint16Array;
    ids: Uint32Array;
    phases: Uint8Array;
}

export interface Meshes {
    vertices: Float32Array;
    indices: Uint32Array;
}

export type Binary = { frame: Frame } | { meshes: Meshes };

const padded = (bytes: number) => (bytes + 3) & ~3;

export function decode(data: ArrayBuffer): Binary {
    const view = new DataView(data);
    const u32 = (at: number) => view.getUint32(at, true);
    const f32 = (at: number) => view.getFloat32(at, true);
    if (data.byteLength < 16 || u32(0) !== magic) throw new Error("a binary message that is none of meniscus");
    if (u32(4) === 2) {
        const vertices = 3 * u32(8);
        return { meshes: { vertices: new Float32Array(data, 16, vertices),
                           indices: new Uint32Array(data, 16 + 4 * vertices, 3 * u32(12)) } };
    }
    const count = u32(12);
    const values = 80 + padded(6 * count);
    const ids = values + padded(2 * count);
    const phases = ids + 4 * count;
    return { frame: {
        sequence: u32(8), count, time: view.getFloat64(16, true),
        step: Number(view.getBigInt64(24, true)), number: Number(view.getBigInt64(32, true)),
        lower: [f32(40), f32(44), f32(48)], upper: [f32(52), f32(56), f32(60)], low: f32(64), high: f32(68),
        field: fields[u32(72)] ?? "speed", radius: f32(76),
        positions: new Uint16Array(data, 80, 3 * count), values: new Uint16Array(data, values, count),
        ids: new Uint32Array(data, ids, count), phases: new Uint8Array(data, phases, count),
    } };
}
