/* What goes between the server and the page. */

export type Vector = [number, number, number];
export type Field = "speed" | "pressure" | "measure" | "phase";
export type RunState = "empty" | "ready" | "preparing" | "running" | "paused" | "stopped" | "done" | "failed";

export interface SceneCard {
    name: string;
    title: string;
    picture: string | null;
}

export interface Problem {
    path: string;
    line: number;
    column: number;
    text: string;
    warning: boolean;
}

export interface Steerable {
    path: string;
    label: string;
    unit: string;
    value: number | number[];
    minimum: number;
    maximum: number;
    help: string;
    /** From when until when the scene itself changes it, so that nobody else can, s. */
    driven: [number, number][];
}

export interface Hello {
    type: "hello";
    version: string;
    connection: number;
    scenes: SceneCard[];
    schema: Schema;
    docs: { validation: string | null };
}

export interface Role {
    type: "role";
    steers: boolean;
    taken: boolean;
    watchers: number;
}

export interface Scene {
    type: "scene";
    name: string;
    text: string;
    problems: Problem[];
    ok: boolean;
    dimension: number;
    spacing: number;
    duration: number;
    fps: number;
    fluids: { name: string; density: number }[];
    solids: { name: string; moves: boolean; glass: boolean; hollow: boolean }[];
    steerable: Steerable[];
    /** What was steered, from when on. */
    marks: { path: string; time: number; value: number | number[] }[];
}

export interface State {
    type: "state";
    state: RunState;
    time: number;
    step: number;
    particles: number;
    boundary: number;
    frames: number;
    message: string | null;
    folder: string | null;
}

export interface Points {
    type: "points";
    /** Whether a new series begins. */
    first: boolean;
    columns: string[];
    rows: (number | null)[][];
}

export interface Particle {
    type: "particle";
    id: number;
    found: boolean;
    position: Vector;
    velocity: Vector;
    speed: number;
    pressure: number;
    measure: number;
    phase: number;
    fluid: string | null;
    time: number;
}

export interface SceneText {
    type: "text";
    name: string;
    text: string;
}

export interface ServerError {
    type: "error";
    code: string;
    text: string;
    path?: string;
    /** The recorded frame that cannot be shown. */
    frame?: number;
}

export interface Solids {
    type: "solids";
    solids: { name: string; glass: boolean; hollow: boolean; first: number; triangles: number }[];
}

export interface Poses {
    type: "poses";
    time: number;
    poses: { solid: string; translation: Vector; rotation: [number, number, number, number] }[];
}

export type FromServer =
    | Hello | Role | Scene | State | Points | Particle | SceneText | ServerError | Solids | Poses;

export type ToServer =
    | { type: "open"; scene: string }
    | { type: "open"; text: string; name: string }
    | { type: "set"; path: string; value?: unknown }
    | { type: "run" | "pause" | "step" | "stop" | "restart" | "take" | "release" | "save" }
    | { type: "steer"; path: string; value: number | number[] }
    | { type: "frame"; number: number | null }
    | { type: "field"; name: Field }
    | { type: "pick"; id: number }
    | { type: "ack"; sequence: number };

/* The part of JSON Schema that scenes use. */
export interface Schema {
    $ref?: string;
    $defs?: Record<string, Schema>;
    type?: "object" | "array" | "number" | "integer" | "string" | "boolean";
    const?: unknown;
    enum?: string[];
    anyOf?: Schema[];
    oneOf?: Schema[];
    properties?: Record<string, Schema>;
    additionalProperties?: Schema | boolean;
    required?: string[];
    items?: Schema;
    minItems?: number;
    maxItems?: number;
    minimum?: number;
    exclusiveMinimum?: number;
    maximum?: number;
    description?: string;
    default?: unknown;
}
