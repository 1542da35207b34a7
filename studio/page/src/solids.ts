/* The solids: what does not yield. Containers and glass are shown as thin glass of which only the far sides can be seen,
 * so that nothing hides the fluid; others are matt, or as faint as glass where one asks for it. In 2D they are areas that
 * hide nothing and are shown as they are. */

import { BackSide, Box3, BufferAttribute, BufferGeometry, DoubleSide, EdgesGeometry, Group, LineBasicMaterial,
         LineSegments, Mesh, MeshStandardMaterial } from "three";
import { toCreasedNormals } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { Meshes } from "./frames";
import type { Poses, Solids } from "./messages";

export type Showing = "shown" | "faded" | "hidden";

const mostRounded = 50_000; /* triangles; more are shown with flat ones */

export class SolidShapes {
    readonly group = new Group();
    private clear: boolean[] = [];
    private flat = false;
    private readonly glass = new MeshStandardMaterial({ transparent: true, depthWrite: false, roughness: 0.3 });
    private readonly faint = new MeshStandardMaterial({ transparent: true, depthWrite: false, side: DoubleSide });
    private readonly matt = new MeshStandardMaterial({ roughness: 0.85, side: DoubleSide });
    private readonly lines = new LineBasicMaterial({ transparent: true });

    colour(solid: number, line: number): void {
        for (const material of [this.glass, this.faint, this.matt]) material.color.set(solid);
        this.lines.color.set(line);
        this.glass.opacity = 0.16;
        this.faint.opacity = 0.2;
        this.lines.opacity = 0.45;
    }

    build(description: Solids["solids"], meshes: Meshes, flat: boolean): void {
        this.clearAll();
        this.flat = flat;
        this.clear = description.map((solid) => solid.glass || solid.hollow);
        for (const solid of description) {
            const part = new BufferGeometry();
            part.setAttribute("position", new BufferAttribute(meshes.vertices, 3));
            const indices = meshes.indices.slice(3 * solid.first, 3 * (solid.first + solid.triangles));
            part.setIndex(new BufferAttribute(indices, 1));
            const loose = part.toNonIndexed();
            const shape = solid.triangles <= mostRounded ? toCreasedNormals(loose, 0.6) : loose;
            if (shape === loose) shape.computeVertexNormals();
            const mesh = new Mesh(shape, this.matt);
            if (!flat) mesh.add(new LineSegments(new EdgesGeometry(loose, 30), this.lines));
            mesh.name = solid.name;
            this.group.add(mesh);
        }
    }

    show(how: Showing): void {
        this.group.visible = how !== "hidden";
        this.glass.side = BackSide;
        this.group.children.forEach((child, i) => {
            const mesh = child as Mesh;
            mesh.material = this.clear[i] && !this.flat ? this.glass : how === "faded" ? this.faint : this.matt;
            mesh.renderOrder = mesh.material === this.matt ? 0 : 1;
        });
    }

    move(poses: Poses["poses"]): void {
        for (const pose of poses) {
            const mesh = this.group.children.find((child) => child.name === pose.solid);
            mesh?.position.set(...pose.translation);
            mesh?.quaternion.set(...pose.rotation);
        }
    }

    box(): Box3 {
        return new Box3().setFromObject(this.group);
    }

    clearAll(): void {
        for (const child of this.group.children) {
            (child as Mesh).geometry.dispose();
            for (const lines of child.children) (lines as LineSegments).geometry.dispose();
        }
        this.group.clear();
    }
}
