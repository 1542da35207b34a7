/* The frames that were recorded: a slider through them, playing them, and back to what happens now. */

import { byId, element } from "./dom";
import { withUnit } from "./numbers";

export class Timeline {
    private readonly slider = byId<HTMLInputElement>("timeline-slider");
    private readonly playing = byId<HTMLButtonElement>("timeline-play");
    private readonly live = byId<HTMLButtonElement>("timeline-live");
    private readonly label = byId("timeline-label");
    private readonly marks = byId("timeline-marks");
    private frames = 0;
    private fps = 50;
    private running = false;
    /** The recorded frame that is asked for; null: what happens now. */
    private number: number | null = null;
    private timer = 0;
    private shown = true;
    private steered: { time: number; label: string }[] = [];

    constructor(private readonly ask: (number: number | null) => void) {
        this.slider.addEventListener("input", () => {
            this.stop();
            this.go(Number(this.slider.value));
        });
        this.playing.addEventListener("click", () => this.timer ? this.stop() : this.play());
        this.live.addEventListener("click", () => this.goLive());
    }

    update(frames: number, fps: number, running: boolean): void {
        this.frames = frames;
        this.fps = fps;
        this.running = running;
        this.slider.max = String(Math.max(frames - 1, 0));
        const none = frames === 0;
        this.slider.disabled = none;
        this.playing.disabled = frames < 2;
        if (this.number === null) this.slider.value = this.slider.max;
        this.live.setAttribute("aria-pressed", String(this.number === null));
        this.live.textContent = running ? "Live" : "Latest";
        this.live.disabled = none;
        this.placeMarks();
    }

    /** A frame is on the screen. */
    arrived(number: number, time: number): void {
        this.shown = true;
        this.label.textContent = withUnit(time, "s");
        const text = number >= 0 ? `frame ${number}, ${withUnit(time, "s")}` : `now, ${withUnit(time, "s")}`;
        this.slider.setAttribute("aria-valuetext", text);
    }

    /** A frame that was asked for cannot be read: whoever plays goes on with the next. */
    missed(number: number): void {
        if (number === this.number) this.shown = true;
    }

    goLive(): void {
        this.stop();
        this.number = null;
        this.ask(null);
        this.update(this.frames, this.fps, this.running);
    }

    step(by: number): void {
        if (this.frames === 0) return;
        this.stop();
        this.go(Math.min(Math.max((this.number ?? this.frames) + by, 0), this.frames - 1));
    }

    /** What was steered, in place of what was before. */
    mark(steered: { time: number; label: string }[]): void {
        this.steered = steered;
        this.placeMarks();
    }

    /** Another run, of which nothing is recorded. */
    clear(): void {
        this.stop();
        this.number = null;
        this.label.textContent = "";
        this.update(0, this.fps, false);
    }

    private go(number: number): void {
        this.number = number;
        this.slider.value = String(number);
        this.shown = false;
        this.ask(number);
        this.live.setAttribute("aria-pressed", "false");
    }

    /** About 30 frames a second, and the next only after the last one is on the screen. */
    private play(): void {
        if (this.frames < 2) return;
        this.go(this.number === null || this.number >= this.frames - 1 ? 0 : this.number);
        this.playing.setAttribute("aria-label", "Stop playing");
        this.playing.dataset.icon = "pause";
        this.timer = setInterval(() => {
            if (!this.shown) return;
            const next = (this.number ?? 0) + 1;
            if (next < this.frames) this.go(next);
            else this.stop();
        }, 33);
    }

    private stop(): void {
        clearInterval(this.timer);
        this.timer = 0;
        this.playing.setAttribute("aria-label", "Play the recorded frames");
        this.playing.dataset.icon = "play";
    }

    private placeMarks(): void {
        const end = (this.frames - 1) / this.fps;
        this.marks.replaceChildren(...this.steered.filter((mark) => end > 0 && mark.time <= end).map((mark) => {
            const tick = element("i", { title: mark.label });
            tick.style.left = `${100 * mark.time / end}%`;
            return tick;
        }));
    }
}
