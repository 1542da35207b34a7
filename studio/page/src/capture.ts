/* Pictures of the view, with the legend and the time on them, and films of it, as files. */

import { colourOf, css } from "./colour";
import { download } from "./dom";
import { legendOf, type LegendText } from "./legend";
import { withUnit } from "./numbers";
import type { View } from "./view3d";

const longestFilm = 20; /* s */

/** A PNG of what is seen. */
export async function takePicture(view: View, name: string, fluids: string[], ink: string): Promise<void> {
    view.drawNow();
    const { width, height } = view.canvas;
    const paper = document.createElement("canvas");
    paper.width = width;
    paper.height = height;
    const pen = paper.getContext("2d")!;
    pen.drawImage(view.canvas, 0, 0);
    if (view.frame) drawLegend(pen, legendOf(view.frame, fluids), view.frame.time, height, ink);
    const picture = await new Promise<Blob | null>((done) => paper.toBlob(done, "image/png"));
    if (!picture) throw new Error("The browser could not make a PNG of the view.");
    download(`${name}.png`, picture);
}

function drawLegend(pen: CanvasRenderingContext2D, legend: LegendText, time: number, height: number, ink: string): void {
    const unit = Math.max(height / 45, 10), left = unit, wide = 14 * unit;
    pen.fillStyle = ink;
    pen.font = `${unit}px system-ui, sans-serif`;
    pen.textBaseline = "top";
    pen.fillText(`${legend.title}    t = ${withUnit(time, "s")}`, left, unit);
    if (legend.ticks.length > 0) for (let i = 0; i < 256; i++) {
        pen.fillStyle = css(colourOf(i / 255));
        pen.fillRect(left + wide * i / 256, 2.5 * unit, wide / 256 + 1, 0.6 * unit);
    }
    pen.fillStyle = ink;
    pen.textAlign = "center";
    for (const tick of legend.ticks) pen.fillText(tick.text, left + wide * tick.at, 3.4 * unit);
    pen.textAlign = "left";
    legend.kinds.forEach((kind, i) => {
        pen.fillStyle = kind.colour;
        pen.fillRect(left, (2.5 + 1.4 * i) * unit, unit, unit);
        pen.fillStyle = ink;
        pen.fillText(kind.text, left + 1.5 * unit, (2.5 + 1.4 * i) * unit);
    });
}

/** Records the view until it is told to stop, or has become long enough. */
export class Film {
    private recorder: MediaRecorder | null = null;
    private timer = 0;

    constructor(private readonly view: View, private readonly changed: (recording: boolean) => void) {}

    get recording(): boolean {
        return this.recorder !== null;
    }

    start(name: string): void {
        const kind = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"]
            .find((candidate) => MediaRecorder.isTypeSupported(candidate));
        if (!kind) throw new Error("This browser records no WebM.");
        const recorder = new MediaRecorder(this.view.canvas.captureStream(30), { mimeType: kind, videoBitsPerSecond: 8e6 });
        const parts: Blob[] = [];
        recorder.ondataavailable = (event) => parts.push(event.data);
        recorder.onstop = () => {
            this.recorder = null;
            this.view.steady = false;
            clearTimeout(this.timer);
            for (const track of recorder.stream.getTracks()) track.stop();
            this.changed(false);
            download(`${name}.webm`, new Blob(parts, { type: "video/webm" }));
        };
        recorder.start(500);
        this.recorder = recorder;
        this.view.steady = true;
        this.view.request();
        this.timer = setTimeout(() => this.stop(), longestFilm * 1000);
        this.changed(true);
    }

    stop(): void {
        if (this.recorder?.state === "recording") this.recorder.stop();
    }
}
