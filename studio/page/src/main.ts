/* The studio: puts the parts of the page together and hands each message to those whom it concerns. */

import { Film, takePicture } from "./capture";
import { Charts } from "./charts";
import { Connection } from "./connection";
import { byId, download } from "./dom";
import { Explanation } from "./explain";
import { Form } from "./form";
import { decode, fields, type Frame } from "./frames";
import { Inspector } from "./inspector";
import { startKeys } from "./keys";
import { Legend } from "./legend";
import { Library, sceneName } from "./library";
import type { Field, FromServer, Role, Scene, Solids, State } from "./messages";
import { banner, note } from "./notices";
import { plain, withUnit } from "./numbers";
import { said, Steering } from "./steer";
import { Tabs } from "./tabs";
import { startTheme } from "./theme";
import { Timeline } from "./timeline";
import { isEditable, isUnderWay, stateName, Transport } from "./transport";
import { View } from "./view3d";
import type { Showing } from "./solids";

const pickEvery = 250; /* ms: how often the numbers of the chosen particle are asked for */

const blank = { dimension: 3, spacing: 0, duration: 1, fps: 50, fluids: [], solids: [], steerable: [], marks: [] };

let scene: Scene | null = null;
let role: Role = { type: "role", steers: false, taken: true, watchers: 0 };
let state: State = { type: "state", state: "empty", time: 0, step: 0, particles: 0, boundary: 0, frames: 0, message: null,
                     folder: null };
let field: Field = "speed";
let solidsToCome: Solids["solids"] = [];
let chosen: number | null = null;
let pickedAt = 0;
let takeWhenFree = false;
let textWantedFor: "download" | "edit" = "download";

const view = openView(); /* before the server says anything */
const connection = new Connection({ message: take, binary: takeBinary, connected });
const legend = new Legend();
const charts = new Charts(byId("charts"));
const timeline = new Timeline((number) => connection.send({ type: "frame", number }));
const transport = new Transport((order) => connection.send({ type: order }));
const library = new Library((name) => connection.send({ type: "open", scene: name }),
                            (text, name) => connection.send({ type: "open", text, name }));
const form = new Form(byId("form"), (path, value) => {
    const dotted = path.replace(/\[(\d+)\]/g, ".$1");
    connection.send(value === undefined ? { type: "set", path: dotted } : { type: "set", path: dotted, value });
});
const steering = new Steering(byId("steer"), (item, value) => connection.send({ type: "steer", path: item.path, value }));
const inspector = new Inspector(choose);
const explanation = new Explanation(byId("panel-explain"), withUnit);
const tabs = new Tabs(document.querySelector("[role=tablist]")!);
const film = new Film(view, (recording) => {
    byId("film").setAttribute("aria-pressed", String(recording));
    byId("film").setAttribute("aria-label", recording ? "Stop recording" : "Record a film, WebM");
});

/** Without graphics there is no studio, and it says so. */
function openView(): View {
    try {
        return new View(byId<HTMLCanvasElement>("view"), choose);
    } catch (error) {
        banner("graphics", "This browser has no WebGL 2, with which the particles are drawn. Allow it graphics acceleration, " +
            "or take another browser; meniscus render makes pictures without one.", "error");
        throw error;
    }
}

/* ---- what comes from the server --------------------------------------------------------------------------------- */

function take(message: FromServer): void {
    switch (message.type) {
    case "hello":
        form.use(message.schema);
        library.fill(message.scenes);
        explanation.link(message.docs.validation);
        if (field !== "speed") connection.send({ type: "field", name: field });
        if (!scene) library.show(false);
        break;
    case "role":
        role = message;
        if (!role.steers && !role.taken && takeWhenFree) connection.send({ type: "take" });
        showRole();
        break;
    case "scene":
        takeScene(message);
        break;
    case "state":
        takeState(message);
        break;
    case "points":
        charts.take(message);
        showNumbers();
        break;
    case "solids":
        solidsToCome = message.solids;
        break;
    case "poses":
        view.move(message.poses);
        break;
    case "particle":
        if (message.id === chosen) inspector.show(message);
        break;
    case "text":
        takeText(message.name, message.text);
        break;
    case "error":
        if (message.frame !== undefined) timeline.missed(message.frame);
        if (message.path) (isUnderWay(state.state) ? steering : form).complain(message.path, message.text);
        note(message.text, "error");
        break;
    }
}

function takeBinary(data: ArrayBuffer): void {
    const message = decode(data);
    if ("frame" in message) showFrame(message.frame);
    else view.showSolids(solidsToCome, message.meshes);
}

function showFrame(frame: Frame): void {
    view.show(frame);
    view.whenDrawn(() => {
        connection.send({ type: "ack", sequence: frame.sequence });
        view.canvas.dataset.frame = String(frame.number);
        view.canvas.dataset.time = String(frame.time);
    });
    legend.show(frame, scene?.fluids.map((fluid) => fluid.name) ?? []);
    timeline.arrived(frame.number, frame.time);
    showHint();
    if (chosen !== null && performance.now() - pickedAt > pickEvery) askForChosen();
}

/** Of a scene with errors only its text and its problems are told; the rest is as it was. */
function takeScene(told: Scene): void {
    const message = { ...(scene?.name === told.name ? scene : blank), ...told };
    const another = scene?.name !== message.name || scene.dimension !== message.dimension;
    if (another) {
        view.begin(message.dimension === 2);
        clearRun();
    }
    scene = message;
    charts.flat = message.dimension === 2;
    byId("scene-name").textContent = sceneName(message.name);
    document.title = `${sceneName(message.name)} – meniscus studio`;
    form.show(message);
    steering.show(message.steerable, message.dimension === 2);
    showMarks(message);
    if (another) {
        library.hide();
        if (!message.ok) tabs.choose("tab-scene");
    }
    showAbilities();
}

/** Nothing has run yet, or no longer counts. */
function clearRun(): void {
    view.drain();
    legend.hide();
    choose(null);
    clearSeries();
}

/** What was recorded was of another run. */
function clearSeries(): void {
    charts.clear();
    timeline.clear();
}

/** On charts and timeline stands what has been steered, whoever did it and however long ago. */
function showMarks({ marks, steerable }: Scene): void {
    const shown = marks.map(({ path, time, value }) => {
        const item = steerable.find((candidate) => candidate.path === path)!;
        const words = Array.isArray(value) ? `(${value.map(plain).join(", ")})` : plain(value);
        return { time, label: `${said(item)} = ${words} ${item.unit}` };
    });
    charts.mark(shown);
    timeline.mark(shown);
}

function takeState(message: State): void {
    const before = state;
    state = message;
    if (message.state === "ready" && before.state !== "ready") clearRun();
    else if (message.state === "preparing") clearSeries();
    if (message.state === "empty") library.show(false);
    if (message.state === "failed") banner("failed", `The run has stopped: ${message.message ?? "no reason was given"}`, "error");
    else banner("failed", null);
    showAbilities();
    showNumbers();
    timeline.update(message.frames, scene?.fps ?? 50, message.state === "running");
}

function takeText(name: string, text: string): void {
    if (textWantedFor === "download")
        return download(name.endsWith(".json") ? name : `${name}.json`, new Blob([text], { type: "application/json" }));
    byId<HTMLTextAreaElement>("text-area").value = text;
    byId<HTMLDialogElement>("text").showModal();
}

function connected(yes: boolean, retry: number): void {
    document.documentElement.dataset.connected = String(yes);
    if (yes) return banner("connection", null);
    role = { ...role, steers: false };
    showAbilities();
    banner("connection", `No connection to meniscus. Is it still running in its terminal? Trying again in ${plain(retry)} s.`,
        "error", [{ label: "Try now", act: () => connection.hurry() }]);
    banner("role", null);
}

/* ---- what it looks like ----------------------------------------------------------------------------------------- */

function showRole(): void {
    const pill = byId("role");
    pill.textContent = role.steers ? role.watchers > 0 ? `You steer, ${role.watchers} watching` : "You steer" : "Watching";
    pill.classList.toggle("steers", role.steers);
    banner("role", role.steers ? null
        : role.taken ? "Another tab steers this run. You can look at everything but not change it." : "Nobody steers this run.",
        "info", [role.taken
            ? { label: takeWhenFree ? "Waiting to take over" : "Take over when free", disabled: takeWhenFree, act: () => {
                takeWhenFree = true;
                showRole();
            } }
            : { label: "Take over", act: () => connection.send({ type: "take" }) }]);
    if (role.steers) takeWhenFree = false;
    banner("release", role.steers && role.watchers > 0 ? "Others are watching." : null, "info",
        [{ label: "Hand over", act: () => connection.send({ type: "release" }) }]);
    showAbilities();
}

function showAbilities(): void {
    const { steers } = role, ok = scene?.ok ?? false;
    transport.update(state.state, steers, ok);
    library.allow(steers);
    steering.enable(steers && isUnderWay(state.state));
    byId("steer-note").textContent = !scene ? "" : !isUnderWay(state.state)
        ? "These move while it runs or is paused; before that, edit the scene."
        : steers ? "Changes act at the next step and are recorded in the scene." : "Another tab has these.";
    form.lock(!steers ? "Another tab steers." : isEditable(state.state) ? null
        : "While it runs, steer it under Live. Stop it to edit the scene.");
    byId<HTMLButtonElement>("edit-text").disabled = !steers || !isEditable(state.state);
    byId<HTMLButtonElement>("download").disabled = !scene;
    byId("library-open").toggleAttribute("disabled", !scene);
    showHint();
}

function showHint(): void {
    const hint = byId("hint"), begins = state.state === "ready" || state.state === "preparing";
    hint.hidden = !scene || (view.frame !== null && !begins);
    hint.textContent = !scene?.ok ? "The scene has errors: see Scene." : state.state === "preparing" ? "Placing particles…"
        : "Press Run.";
}

/** A number for people, and as it is for programs that read the page. */
function tell(id: string, value: number | null, write: (value: number) => string): void {
    byId(id).textContent = value === null ? "–" : write(value);
    byId(id).dataset.value = value === null ? "" : String(value);
}

function showNumbers(): void {
    const known = state.state !== "empty" && state.state !== "ready";
    byId("now-state").textContent = stateName(state.state);
    tell("now-time", known ? state.time : null, (time) => withUnit(time, "s"));
    tell("now-step", known ? state.step : null, (step) => step.toLocaleString("en"));
    tell("now-particles", state.particles || null, (count) => count.toLocaleString("en"));
    tell("now-fastest", charts.latest("max_velocity"), (speed) => withUnit(speed, "m/s"));
    tell("now-kinetic", charts.latest("kinetic"), (energy) => withUnit(energy, charts.energyUnit));
    const tension = scene?.steerable.find((item) => item.path.endsWith("tension.vapor"));
    if (scene?.fluids[0] && typeof tension?.value === "number")
        explanation.update({ density: scene.fluids[0].density, tension: tension.value, spacing: scene.spacing,
            flat: scene.dimension === 2, dt: charts.latest("dt"), core: charts.latest("core_pressure") });
}

function choose(id: number | null): void {
    chosen = id;
    view.choose(id);
    inspector.open(id);
    if (id !== null) askForChosen();
}

function askForChosen(): void {
    pickedAt = performance.now();
    connection.send({ type: "pick", id: chosen! });
}

/* ---- the tools of the view -------------------------------------------------------------------------------------- */

const fieldBox = byId<HTMLSelectElement>("field");
function setField(name: Field): void {
    field = fieldBox.value = name;
    connection.send({ type: "field", name });
}

const showings: Showing[] = ["shown", "faded", "hidden"];
let showing: Showing = "shown";
function nextShowing(): void {
    showing = showings[(showings.indexOf(showing) + 1) % showings.length]!;
    view.setSolids(showing);
    byId("solids").dataset.showing = showing;
    byId("solids").setAttribute("aria-label", `Solids: ${showing}`);
    note(`Solids ${showing}`);
}

function slice(): void {
    const on = byId("slice").getAttribute("aria-expanded") === "true";
    view.slice(on ? Number(byId<HTMLSelectElement>("slice-axis").value) : null,
        Number(byId<HTMLInputElement>("slice-place").value) / 1000, byId("slice-flip").getAttribute("aria-pressed") === "true");
}

function toggle(id: string, attribute: string): boolean {
    const on = byId(id).getAttribute(attribute) !== "true";
    byId(id).setAttribute(attribute, String(on));
    return on;
}

function toggleSlice(): void {
    byId("slice-box").hidden = !toggle("slice", "aria-expanded");
    slice();
}

const fileName = () => `${scene?.name ?? "meniscus"}-${withUnit(view.frame?.time ?? 0, "s").replace(" ", "")}`;

async function savePicture(): Promise<void> {
    try {
        const ink = getComputedStyle(document.documentElement).getPropertyValue("--ink");
        await takePicture(view, fileName(), scene?.fluids.map((fluid) => fluid.name) ?? [], ink);
    } catch (error) {
        note((error as Error).message, "error");
    }
}

function toggleFilm(): void {
    try {
        if (film.recording) film.stop();
        else film.start(fileName());
    } catch (error) {
        note((error as Error).message, "error");
    }
}

function save(purpose: "download" | "edit"): void {
    textWantedFor = purpose;
    connection.send({ type: "save" });
}

fieldBox.addEventListener("change", () => setField(fieldBox.value as Field));
byId("fit").addEventListener("click", () => view.fit());
byId("solids").addEventListener("click", nextShowing);
byId("slice").addEventListener("click", toggleSlice);
byId("slice-axis").addEventListener("change", slice);
byId("slice-place").addEventListener("input", slice);
byId("slice-flip").addEventListener("click", () => {
    toggle("slice-flip", "aria-pressed");
    slice();
});
byId("picture").addEventListener("click", () => void savePicture());
byId("film").addEventListener("click", toggleFilm);
byId("download").addEventListener("click", () => save("download"));
byId("edit-text").addEventListener("click", () => save("edit"));
byId("text").addEventListener("close", () => {
    const dialog = byId<HTMLDialogElement>("text");
    if (dialog.returnValue === "apply" && scene)
        connection.send({ type: "open", text: byId<HTMLTextAreaElement>("text-area").value, name: scene.name });
    dialog.returnValue = "";
});
byId("library-open").addEventListener("click", () => library.visible ? library.hide() : library.show(scene !== null));
view.canvas.addEventListener("keydown", (event) => {
    if (event.key === "Enter") view.pickMiddle();
});

startKeys([
    { key: " ", shown: "Space", says: "run or pause", act: () => transport.press("run") },
    { key: ".", says: "one step", act: () => transport.press("step") },
    { key: "s", says: "stop", act: () => transport.press("stop") },
    { key: "r", says: "start over", act: () => transport.press("restart") },
    { key: "[", says: "one recorded frame back", act: () => timeline.step(-1) },
    { key: "]", says: "one recorded frame on", act: () => timeline.step(1) },
    { key: "l", says: "back to what happens now", act: () => timeline.goLive() },
    { key: "f", says: "fit the view", act: () => view.fit() },
    { key: "c", says: "colour by the next quantity",
      act: () => setField(fields[(fields.indexOf(field) + 1) % fields.length]!) },
    { key: "h", says: "show, fade or hide solids", act: nextShowing },
    { key: "x", says: "slice", act: toggleSlice },
    { key: "p", says: "save a picture", act: () => void savePicture() },
    { key: "v", says: "start or end a film", act: toggleFilm },
    { key: "d", says: "download the scene", act: () => scene && save("download") },
    { key: "o", says: "scenes", act: () => scene && (library.visible ? library.hide() : library.show(true)) },
    { key: "1", says: "Live", act: () => tabs.choose("tab-live") },
    { key: "2", says: "Scene", act: () => tabs.choose("tab-scene") },
    { key: "3", says: "Explain", act: () => tabs.choose("tab-explain") },
    { key: "Escape", says: "close what is open", act: () => inspector.close() },
]);
startTheme(byId<HTMLButtonElement>("theme"), (theme) => {
    view.theme(theme);
    charts.repaint();
});
showAbilities();
