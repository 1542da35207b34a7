/* How mouse, fingers and keys move the camera: around a point that it looks at, nearer and further, and sideways. In 3D
 * z is up and one cannot tip over; scenes in 2D are seen head-on, with y up, and only slide. */

import { Box3, PerspectiveCamera, Vector3 } from "three";

const click = 5; /* px: a press that moves less is a click */
const steepest = 1.55; /* rad */

export class Orbit {
    readonly camera = new PerspectiveCamera(30, 1, 0.01, 100);
    /** Whether somebody has moved it since it was last fitted. */
    moved = false;

    private readonly target = new Vector3();
    private readonly right = new Vector3();
    private readonly upwards = new Vector3();
    private readonly back = new Vector3();
    private distance = 1;
    private azimuth = 0.5;
    private elevation = 0.35;
    private flat = false;
    private readonly pointers = new Map<number, { x: number; y: number }>();
    private travelled = 0;

    constructor(private readonly canvas: HTMLCanvasElement, private readonly changed: () => void,
                private readonly clicked: (x: number, y: number) => void) {
        canvas.addEventListener("pointerdown", (event) => this.press(event));
        canvas.addEventListener("pointermove", (event) => this.drag(event));
        canvas.addEventListener("pointerup", (event) => this.release(event));
        canvas.addEventListener("pointercancel", (event) => this.pointers.delete(event.pointerId));
        canvas.addEventListener("contextmenu", (event) => event.preventDefault());
        canvas.addEventListener("keydown", (event) => this.key(event));
        canvas.addEventListener("wheel", (event) => {
            event.preventDefault();
            this.zoom(Math.exp(Math.min(Math.max(event.deltaY, -100), 100) * 0.002));
        }, { passive: false });
        this.place();
    }

    /** Starts anew for a scene: from the side on which the box is longest, a little from above. */
    face(box: Box3, flat: boolean): void {
        const size = box.getSize(new Vector3());
        this.flat = flat;
        this.azimuth = size.y > 1.5 * size.x ? Math.PI / 2 - 0.4 : 0.4;
        this.elevation = 0.35;
        this.fit(box);
    }

    /** Comes so near that the box just fills the picture. */
    fit(box: Box3): void {
        box.getCenter(this.target);
        this.turn();
        const half = box.getSize(new Vector3()).multiplyScalar(0.5);
        const tangent = Math.tan(this.camera.fov * Math.PI / 360);
        const along = (axis: Vector3) =>
            Math.abs(axis.x) * half.x + Math.abs(axis.y) * half.y + Math.abs(axis.z) * half.z;
        const across = Math.max(along(this.upwards) / tangent, along(this.right) / (tangent * this.camera.aspect));
        this.distance = Math.max(1.2 * across + along(this.back), 1e-9);
        this.moved = false;
        this.place();
    }

    resize(aspect: number): void {
        this.camera.aspect = aspect;
        this.place();
    }

    private turn(): void {
        if (this.flat) {
            this.back.set(0, 0, 1);
            this.right.set(1, 0, 0);
        } else {
            const level = Math.cos(this.elevation);
            this.back.set(level * Math.sin(this.azimuth), -level * Math.cos(this.azimuth), Math.sin(this.elevation));
            this.right.set(Math.cos(this.azimuth), Math.sin(this.azimuth), 0);
        }
        this.upwards.crossVectors(this.back, this.right);
    }

    private place(): void {
        this.turn();
        this.camera.position.copy(this.target).addScaledVector(this.back, this.distance);
        this.camera.up.copy(this.upwards);
        this.camera.lookAt(this.target);
        this.camera.near = this.distance * 0.02;
        this.camera.far = this.distance * 50;
        this.camera.updateProjectionMatrix();
        this.camera.updateMatrixWorld();
        this.changed();
    }

    private rotate(x: number, y: number): void {
        if (this.flat) return this.slide(x, y);
        this.azimuth -= x * 0.008;
        this.elevation = Math.min(Math.max(this.elevation + y * 0.008, -steepest), steepest);
        this.moved = true;
        this.place();
    }

    private zoom(factor: number): void {
        this.distance *= factor;
        this.moved = true;
        this.place();
    }

    /** By so many pixels. */
    private slide(x: number, y: number): void {
        const pixel = 2 * this.distance * Math.tan(this.camera.fov * Math.PI / 360) / this.canvas.clientHeight;
        this.target.addScaledVector(this.right, -x * pixel).addScaledVector(this.upwards, y * pixel);
        this.moved = true;
        this.place();
    }

    private press(event: PointerEvent): void {
        this.canvas.setPointerCapture(event.pointerId);
        this.canvas.focus({ preventScroll: true });
        this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
        this.travelled = this.pointers.size > 1 ? Infinity : 0;
    }

    private drag(event: PointerEvent): void {
        const last = this.pointers.get(event.pointerId);
        if (!last) return;
        const x = event.clientX - last.x, y = event.clientY - last.y;
        this.travelled += Math.hypot(x, y);
        if (this.pointers.size === 2) {
            const other = [...this.pointers].find(([id]) => id !== event.pointerId)![1];
            const before = Math.hypot(last.x - other.x, last.y - other.y);
            const after = Math.hypot(event.clientX - other.x, event.clientY - other.y);
            this.slide(x / 2, y / 2);
            if (before > 0 && after > 0) this.zoom(before / after);
        } else if (this.travelled > click) {
            if (event.shiftKey || (event.buttons & 6) !== 0) this.slide(x, y);
            else this.rotate(x, y);
        }
        this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    }

    private release(event: PointerEvent): void {
        const known = this.pointers.delete(event.pointerId);
        if (!known || this.travelled > click || event.button !== 0) return;
        const area = this.canvas.getBoundingClientRect();
        this.clicked(event.clientX - area.left, event.clientY - area.top);
    }

    private key(event: KeyboardEvent): void {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const arrows: Record<string, [number, number]> = {
            ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
        };
        const arrow = arrows[event.key];
        if (arrow && event.shiftKey) this.slide(-20 * arrow[0], -20 * arrow[1]);
        else if (arrow) this.rotate(-12 * arrow[0], -12 * arrow[1]);
        else if (event.key === "+" || event.key === "=") this.zoom(1 / 1.1);
        else if (event.key === "-") this.zoom(1.1);
        else return;
        event.preventDefault();
    }
}
