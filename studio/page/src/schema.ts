/* Reads the schema of scenes together with a scene: a tree of groups and fields, each with its path, value, default,
 * unit, limits and help. What is shown of it is form.ts. */

import type { Schema } from "./messages";

export type Input = "number" | "integer" | "text" | "switch" | "choice" | "vector" | "json";

export interface FieldNode {
    input: Input;
    path: string;
    name: string;
    help: string;
    unit: string;
    /** As the scene has it; undefined where the default holds. */
    value: unknown;
    /** What holds where the scene says nothing; undefined where that depends on other things. */
    fallback: unknown;
    required: boolean;
    minimum?: number | undefined;
    exclusive: boolean;
    maximum?: number | undefined;
    /** Of a choice. */
    options: string[];
    /** Of a vector. */
    length: number;
}

export interface GroupNode {
    path: string;
    name: string;
    help: string;
    fields: FieldNode[];
    groups: GroupNode[];
    /** Whether it can be taken out of the scene, as an entry of a list can. */
    removable: boolean;
}

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);
export const label = (key: string) => key.charAt(0).toUpperCase() + key.slice(1).replaceAll("_", " ");

export function readScene(schema: Schema, scene: unknown, dimension: number): GroupNode {
    const reader = new Reader(schema, dimension);
    const root = reader.group(schema, isObject(scene) ? scene : {}, "", "Scene", "");
    /* Lone keys of the file come first, as one group among the others. */
    const general: GroupNode = { ...root, name: "General", groups: [] };
    return { ...root, fields: [], groups: [general, ...root.groups] };
}

class Reader {
    constructor(private readonly root: Schema, private readonly dimension: number) {}

    group(schema: Schema, value: Json, path: string, name: string, help: string): GroupNode {
        const made: GroupNode = { path, name, help, fields: [], groups: [], removable: false };
        const known = this.branch(this.resolve(schema), value);
        const required = new Set(known.required ?? []);
        for (const [key, entry] of Object.entries(known.properties ?? {})) {
            if (key === "$schema") continue;
            this.member(made, entry, value[key], path ? `${path}.${key}` : key, label(key), required.has(key));
        }
        if (isObject(known.additionalProperties as unknown))
            for (const key of Object.keys(value))
                this.member(made, known.additionalProperties as Schema, value[key], `${path}.${key}`, key, true);
        return made;
    }

    private member(into: GroupNode, entry: Schema, value: unknown, path: string, name: string, required: boolean): void {
        const { help, unit } = splitHelp(entry.description ?? "");
        const schema = this.alternative(this.resolve(entry), value);
        const kindOfList = schema.type === "array" && schema.items ? this.resolve(schema.items) : null;
        if (schema.type === "object" || schema.oneOf) {
            into.groups.push(this.group(schema, isObject(value) ? value : {}, path, name, help));
        } else if (kindOfList && kindOfList.type !== "number") {
            if (!Array.isArray(value) || value.length === 0) return;
            const list: GroupNode = { path, name, help, fields: [], groups: [], removable: false };
            value.forEach((item: unknown, i) => {
                const kind = isObject(item) && typeof item.kind === "string" ? `, ${item.kind}` : "";
                const one = this.group(schema.items!, isObject(item) ? item : {}, `${path}[${i}]`, `${name} ${i + 1}${kind}`, "");
                list.groups.push({ ...one, removable: value.length > (schema.minItems ?? 0) });
            });
            into.groups.push(list);
        } else {
            into.fields.push(this.field(schema, entry, value, path, name, help, unit, required));
        }
    }

    private field(schema: Schema, entry: Schema, value: unknown, path: string, name: string, help: string, unit: string,
                  required: boolean): FieldNode {
        const flat = this.dimension === 2;
        const length = schema.minItems === schema.maxItems ? schema.maxItems ?? 3 : flat ? 2 : 3;
        const limits = schema.items ?? schema;
        return {
            input: inputOf(schema), path, name, help, unit, value, fallback: entry.default, required,
            minimum: limits.minimum ?? limits.exclusiveMinimum, exclusive: limits.exclusiveMinimum !== undefined,
            maximum: limits.maximum, options: schema.enum ?? [], length,
        };
    }

    private resolve(schema: Schema): Schema {
        const name = schema.$ref?.replace("#/$defs/", "");
        return name ? { ...this.root.$defs?.[name], ...(schema.description ? { description: schema.description } : {}) } : schema;
    }

    /** Of several ways to write a value the one that is used here, else the first. */
    private alternative(schema: Schema, value: unknown): Schema {
        if (!schema.anyOf) return schema;
        const ways = schema.anyOf.map((way) => this.resolve(way));
        const type = Array.isArray(value) ? "array" : isObject(value) ? "object" : "number";
        return ways.find((way) => way.type === type) ?? ways.find((way) => way.type !== "object") ?? ways[0]!;
    }

    /** Of several kinds of an object the one that its "kind" says; the kind itself becomes a choice among all. */
    private branch(schema: Schema, value: Json): Schema {
        if (!schema.oneOf) return schema;
        const kindOf = (way: Schema) => String(way.properties?.kind?.const);
        const way = schema.oneOf.find((candidate) => kindOf(candidate) === value.kind) ?? schema.oneOf[0]!;
        const kind: Schema = { enum: schema.oneOf.map(kindOf), description: way.properties?.kind?.description ?? "" };
        return { ...way, properties: { ...way.properties, kind } };
    }
}

function inputOf(schema: Schema): Input {
    if (schema.enum) return "choice";
    if (schema.type === "boolean") return "switch";
    if (schema.type === "number" || schema.type === "integer") return schema.type;
    if (schema.type === "string") return "text";
    return schema.type === "array" ? "vector" : "json";
}

/** Help ends in "Unit: m." where it has a unit. */
function splitHelp(text: string): { help: string; unit: string } {
    const found = /^(.*?)\s*Unit: (.+?)\.$/s.exec(text);
    return { help: (found?.[1] ?? text).replaceAll("`", ""), unit: found?.[2] ?? "" };
}
