/* Run, pause, one step, stop, start over: what can be done in which state. */

import { byId } from "./dom";
import type { RunState } from "./messages";

export type Order = "run" | "pause" | "step" | "stop" | "restart";

const names: Record<RunState, string> = {
    empty: "no scene", ready: "ready", preparing: "preparing", running: "running", paused: "paused", stopped: "stopped",
    done: "done", failed: "failed",
};
export const stateName = (state: RunState) => names[state];
export const isOver = (state: RunState) => state === "done" || state === "stopped" || state === "failed";
export const isUnderWay = (state: RunState) => state === "running" || state === "paused";
/** Whether parameters can be edited. */
export const isEditable = (state: RunState) => state === "ready" || isOver(state);

export class Transport {
    private readonly run = byId<HTMLButtonElement>("run");
    private readonly step = byId<HTMLButtonElement>("step");
    private readonly stop = byId<HTMLButtonElement>("stop");
    private readonly restart = byId<HTMLButtonElement>("restart");
    private main: Order = "run";

    constructor(private readonly order: (order: Order) => void) {
        this.run.addEventListener("click", () => order(this.main));
        this.step.addEventListener("click", () => order("step"));
        this.stop.addEventListener("click", () => order("stop"));
        this.restart.addEventListener("click", () => order("restart"));
    }

    update(state: RunState, steers: boolean, sceneOk: boolean): void {
        const busy = state === "running" || state === "preparing";
        this.main = busy ? "pause" : isOver(state) ? "restart" : "run";
        this.run.textContent = busy ? "Pause" : isOver(state) ? "Run again" : "Run";
        this.run.dataset.icon = busy ? "pause" : "play";
        this.run.disabled = !steers || state === "empty" || (!sceneOk && !busy);
        this.step.disabled = !steers || !sceneOk || !(state === "ready" || state === "paused");
        this.stop.disabled = !steers || !(busy || state === "paused");
        this.restart.disabled = !steers || !sceneOk || state === "empty" || state === "ready" || state === "preparing";
    }

    /** By a key: only what a button would do now. */
    press(button: "run" | "step" | "stop" | "restart"): void {
        if (!this[button].disabled) this.order(button === "run" ? this.main : button);
    }
}
