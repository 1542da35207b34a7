/* The view: particles and solids as the camera sees them, drawn when something has changed and not otherwise. */

import { AmbientLight, Box3, CanvasTexture, Color, DirectionalLight, HemisphereLight, Mesh, MeshBasicMaterial,
         RingGeometry, Scene, SRGBColorSpace, Vector2, Vector3, WebGLRenderer } from "three";
import type { Frame, Meshes } from "./frames";
import type { Poses, Solids } from "./messages";
import { Orbit } from "./orbit";
import { Particles } from "./particles";
import { type Cut, pick, positionOf } from "./pick";
import { type Showing, SolidShapes } from "./solids";

interface Look {
    top: string;
    bottom: string;
    solid: number;
    line: number;
    mark: number;
}

const looks: Record<"light" | "dark", Look> = {
    light: { top: "#fbfcfd", bottom: "#d9e1e8", solid: 0xc3ccd6, line: 0x8496a8, mark: 0xd03c00 },
    dark: { top: "#1b2530", bottom: "#0b1016", solid: 0x5a6877, line: 0x7d8fa3, mark: 0xffb35c },
};

/** Where everything is drawn by the processor, smooth edges cost more than they are worth. */
function hasGraphicsCard(): boolean {
    const context = document.createElement("canvas").getContext("webgl2", { failIfMajorPerformanceCaveat: true });
    context?.getExtension("WEBGL_lose_context")?.loseContext();
    return context !== null;
}

const span = (box: Box3) => box.getSize(new Vector3()).length();

export class View {
    readonly canvas: HTMLCanvasElement;
    readonly cut: Cut = { axis: null, at: 0, flipped: false };
    /** Frames drawn so far, for those who wait for the next one. */
    drawn = 0;
    /** Draws all the time, as a film wants it. */
    steady = false;

    private readonly renderer: WebGLRenderer;
    private readonly orbit: Orbit;
    private readonly scene = new Scene();
    private readonly particles = new Particles();
    private readonly solids = new SolidShapes();
    private readonly mark: Mesh<RingGeometry, MeshBasicMaterial>;
    private showing: Showing = "shown";
    private flat = false;
    private faced = false;
    private chosen: number | null = null;
    private fitted = new Box3();
    private share = 0.5;
    private due = false;
    private waiting: (() => void)[] = [];

    /** `picked` gets the id of a particle that was clicked on, or null. */
    constructor(canvas: HTMLCanvasElement, private readonly picked: (id: number | null) => void) {
        this.canvas = canvas;
        const fast = hasGraphicsCard();
        this.renderer = new WebGLRenderer({ canvas, antialias: fast, powerPreference: "high-performance" });
        this.renderer.setPixelRatio(fast ? Math.min(devicePixelRatio, 2) : 1);
        this.orbit = new Orbit(canvas, () => this.request(), (x, y) =>
            this.pickAt(2 * x / canvas.clientWidth - 1, 1 - 2 * y / canvas.clientHeight));
        this.mark = new Mesh(new RingGeometry(1.5, 2, 40), new MeshBasicMaterial({ depthTest: false, transparent: true }));
        this.mark.renderOrder = 2;
        this.mark.visible = false;
        const sun = new DirectionalLight(0xffffff, 1.6), fill = new HemisphereLight(0xffffff, 0xb0bccb, 1.1);
        sun.position.set(-1, -2, 3);
        fill.position.set(0, 0, 1);
        this.scene.add(new AmbientLight(0xffffff, 0.5), sun, fill, this.particles.points, this.solids.group, this.mark);
        new ResizeObserver(() => this.resize()).observe(canvas.parentElement!);
        this.resize();
    }

    theme(name: "light" | "dark"): void {
        const look = looks[name];
        const paper = document.createElement("canvas");
        paper.width = 2;
        paper.height = 256;
        const pen = paper.getContext("2d")!;
        const shade = pen.createLinearGradient(0, 0, 0, 256);
        shade.addColorStop(0, look.top);
        shade.addColorStop(1, look.bottom);
        pen.fillStyle = shade;
        pen.fillRect(0, 0, 2, 256);
        const background = new CanvasTexture(paper);
        background.colorSpace = SRGBColorSpace;
        (this.scene.background as CanvasTexture | null)?.dispose();
        this.scene.background = background;
        this.renderer.setClearColor(new Color(look.bottom));
        this.solids.colour(look.solid, look.line);
        this.mark.material.color.set(look.mark);
        this.request();
    }

    /** Forgets what is shown; the next thing that comes is looked at from a new place. */
    begin(flat: boolean): void {
        this.flat = flat;
        this.faced = false;
        this.solids.clearAll();
        this.drain();
    }

    /** There is no fluid yet. */
    drain(): void {
        this.particles.show(null);
        this.choose(null);
        this.request();
    }

    showSolids(description: Solids["solids"], meshes: Meshes): void {
        this.solids.build(description, meshes, this.flat);
        this.solids.show(this.showing);
        if (!this.particles.frame?.count) this.follow();
        this.request();
    }

    move(poses: Poses["poses"]): void {
        this.solids.move(poses);
        this.request();
    }

    show(frame: Frame): void {
        const first = this.particles.frame === null;
        this.particles.show(frame);
        if (first) this.placeCut(this.cut.axis, this.cut.flipped);
        this.follow();
        this.placeMark();
        this.request();
    }

    get frame(): Frame | null {
        return this.particles.frame;
    }

    setSolids(how: Showing): void {
        this.showing = how;
        this.solids.show(how);
        this.request();
    }

    /** `share` from 0 to 1 of the way through the fluid along the axis. */
    slice(axis: number | null, share: number, flipped: boolean): void {
        this.share = share;
        this.placeCut(axis, flipped);
        this.request();
    }

    fit(): void {
        this.fitted = this.box(0.12);
        this.orbit.fit(this.fitted);
    }

    /** Picks what is in the middle of the picture, for those without a mouse. */
    pickMiddle(): void {
        this.pickAt(0, 0);
    }

    /** Puts the mark around a particle, and keeps it there from frame to frame. */
    choose(id: number | null): void {
        this.chosen = id;
        this.placeMark();
        this.request();
    }

    /** Draws at once, so that the canvas can be copied. */
    drawNow(): void {
        this.renderer.render(this.scene, this.orbit.camera);
        this.drawn++;
    }

    /** After the next picture has been drawn. */
    whenDrawn(then: () => void): void {
        this.waiting.push(then);
        this.request();
    }

    request(): void {
        if (this.due) return;
        this.due = true;
        requestAnimationFrame(() => {
            this.due = false;
            this.drawNow();
            for (const then of this.waiting.splice(0)) then();
            if (this.steady) this.request();
        });
    }

    private pickAt(x: number, y: number): void {
        const frame = this.particles.frame;
        const index = frame ? pick(frame, this.orbit.camera, x, y, this.cut) : -1;
        this.picked(index < 0 ? null : frame!.ids[index]!);
    }

    private placeMark(): void {
        const frame = this.particles.frame;
        const index = frame && this.chosen !== null ? frame.ids.indexOf(this.chosen) : -1;
        this.mark.visible = index >= 0;
        if (index < 0) return;
        this.mark.position.copy(positionOf(frame!, index));
        this.mark.scale.setScalar(frame!.radius);
        this.mark.onBeforeRender = () => {
            this.mark.quaternion.copy(this.orbit.camera.quaternion);
            this.mark.updateMatrixWorld();
        };
    }

    private placeCut(axis: number | null, flipped: boolean): void {
        const box = this.fluidBox() ?? this.solids.box();
        const at = axis === null || box.isEmpty() ? 0
            : box.min.getComponent(axis) + this.share * (box.max.getComponent(axis) - box.min.getComponent(axis));
        Object.assign(this.cut, { axis, at, flipped });
        this.particles.slice(axis, at, flipped);
    }

    private fluidBox(): Box3 | null {
        const frame = this.particles.frame;
        if (!frame || frame.count === 0) return null;
        return new Box3(new Vector3(...frame.lower), new Vector3(...frame.upper)).expandByScalar(2 * frame.radius);
    }

    /** The fluid with some room for what is to come, as a share of its size; where there is none, the solids. */
    private box(room: number): Box3 {
        const fluid = this.fluidBox(), box = fluid ?? this.solids.box();
        if (box.isEmpty()) return new Box3(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
        return fluid ? box.expandByVector(box.getSize(new Vector3()).multiplyScalar(room)) : box;
    }

    /** Until somebody takes the camera it stays with the fluid: anew where that leaves the picture or shrinks in it. */
    private follow(): void {
        if (this.orbit.moved && this.faced) return;
        const box = this.box(this.faced ? 0.25 : 0.12);
        if (!this.faced) {
            this.orbit.face(box, this.flat);
            this.fitted = box;
            this.faced = true;
            return;
        }
        const fluid = this.fluidBox();
        if (!fluid || (this.fitted.containsBox(fluid) && span(fluid) > 0.4 * span(this.fitted))) return;
        this.orbit.fit(box);
        this.fitted = box;
    }

    private resize(): void {
        const { clientWidth, clientHeight } = this.canvas.parentElement!;
        if (clientWidth === 0 || clientHeight === 0) return;
        this.renderer.setSize(clientWidth, clientHeight, false);
        this.particles.lens(this.renderer.getDrawingBufferSize(new Vector2()), this.orbit.camera.fov);
        this.orbit.resize(clientWidth / clientHeight);
        if (this.faced && !this.orbit.moved) this.orbit.fit(this.fitted);
    }
}
