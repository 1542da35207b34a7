/* Particles as shaded balls: one point each, straight from the quantised numbers of a frame. The graphics card turns
 * them into positions and colours; what happens here per frame is one copy into buffers that are kept. */

import { BufferAttribute, BufferGeometry, DataTexture, DynamicDrawUsage, GLSL3, LinearFilter, NearestFilter, Points,
         ShaderMaterial, Vector2, Vector3, Vector4 } from "three";
import { colourOf, colourOfKind, kinds, table } from "./colour";
import type { Frame } from "./frames";
import type { Vector } from "./messages";

/* A ball that is a little larger than a particle closes the gaps between them. */
const swell = 1.12;

const vertexShader = `
in vec3 place;
in float value;
in float phase;
uniform vec3 lower, extent;
uniform vec4 slice;
uniform float radius, lens, byPhase;
uniform highp sampler2D map, kindMap;
out vec3 colour;
void main() {
    vec3 world = lower + place * extent;
    vec4 seen = viewMatrix * vec4(world, 1.0);
    gl_Position = projectionMatrix * seen;
    gl_PointSize = max(lens * radius / -seen.z, 1.5);
    colour = byPhase > 0.5 ? texture(kindMap, vec2((mod(phase, ${kinds}.0) + 0.5) / ${kinds}.0, 0.5)).rgb
                           : texture(map, vec2(value * 255.0 / 256.0 + 0.5 / 256.0, 0.5)).rgb;
    if (dot(slice.xyz, world) > slice.w) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`;

const fragmentShader = `
in vec3 colour;
out vec4 shown;
void main() {
    vec2 at = 2.0 * gl_PointCoord - 1.0;
    float off = dot(at, at);
    float edge = fwidth(off);
    float cover = 1.0 - smoothstep(1.0 - edge, 1.0 + edge, off);
    if (cover <= 0.0) discard;
    vec3 normal = vec3(at.x, -at.y, sqrt(max(1.0 - off, 0.0)));
    float light = 0.5 + 0.5 * dot(normal, vec3(-0.42, 0.62, 0.66));
    float glint = pow(max(dot(normal, normalize(vec3(-0.3, 0.5, 0.85))), 0.0), 24.0);
    shown = vec4(colour * (0.42 + 0.68 * light) + 0.16 * glint, cover);
}`;

function texture(bytes: Uint8Array, smooth: boolean): DataTexture {
    const made = new DataTexture(bytes, bytes.length / 4, 1);
    made.magFilter = made.minFilter = smooth ? LinearFilter : NearestFilter;
    made.needsUpdate = true;
    return made;
}

export class Particles {
    readonly material = new ShaderMaterial({
        glslVersion: GLSL3, vertexShader, fragmentShader, alphaToCoverage: true,
        uniforms: {
            lower: { value: new Vector3() }, extent: { value: new Vector3() }, slice: { value: new Vector4(0, 0, 0, 1) },
            radius: { value: 0 }, lens: { value: 1 }, byPhase: { value: 0 },
            map: { value: texture(table(256, (i) => colourOf(i / 255)), true) },
            kindMap: { value: texture(table(kinds, colourOfKind), false) },
        },
    });
    readonly points = new Points(new BufferGeometry(), this.material);
    frame: Frame | null = null;
    private capacity = 0;

    constructor() {
        this.points.frustumCulled = false;
        this.points.visible = false;
    }

    show(frame: Frame | null): void {
        this.frame = frame;
        this.points.visible = frame !== null && frame.count > 0;
        if (!frame || frame.count === 0) return;
        if (frame.count > this.capacity) this.grow(Math.ceil(frame.count * 1.25));
        this.fill("place", frame.positions);
        this.fill("value", frame.values);
        this.fill("phase", frame.phases);
        this.points.geometry.setDrawRange(0, frame.count);
        const { lower, extent, radius, byPhase } = this.material.uniforms as Record<string, { value: any }>;
        lower!.value.set(...frame.lower);
        extent!.value.set(...frame.upper).sub(lower!.value);
        radius!.value = frame.radius * swell;
        byPhase!.value = frame.field === "phase" ? 1 : 0;
    }

    /** Hides what lies beyond `at` along an axis (0, 1, 2), or before it. Without an axis all is shown. */
    slice(axis: number | null, at: number, flipped: boolean): void {
        const normal: Vector = [0, 0, 0];
        const sign = flipped ? -1 : 1;
        if (axis !== null) normal[axis] = sign;
        this.material.uniforms.slice!.value.set(...normal, axis === null ? 1 : sign * at);
    }

    /** Tells how large a ball of radius 1 at distance 1 is, in pixels of the drawing buffer. */
    lens(size: Vector2, fieldOfView: number): void {
        this.material.uniforms.lens!.value = size.y / Math.tan(fieldOfView * Math.PI / 360);
    }

    private grow(capacity: number): void {
        this.capacity = capacity;
        this.points.geometry.dispose();
        const geometry = new BufferGeometry();
        const add = (name: string, array: Uint16Array | Uint8Array, size: number, normalized: boolean) =>
            geometry.setAttribute(name, new BufferAttribute(array, size, normalized).setUsage(DynamicDrawUsage));
        add("place", new Uint16Array(3 * capacity), 3, true);
        add("value", new Uint16Array(capacity), 1, true);
        add("phase", new Uint8Array(capacity), 1, false);
        this.points.geometry = geometry;
    }

    private fill(name: string, values: Uint16Array | Uint8Array): void {
        const attribute = this.points.geometry.getAttribute(name) as BufferAttribute;
        attribute.array.set(values);
        attribute.clearUpdateRanges();
        attribute.addUpdateRange(0, values.length);
        attribute.needsUpdate = true;
    }
}
