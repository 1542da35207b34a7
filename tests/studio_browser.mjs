/* The studio in a real browser: Chromium without a screen, on loopback, against the program itself. Every test starts
 * its own `meniscus studio` and does what a person would do; what it waits for is always something on the page.
 *
 * Finds the program in $MENISCUS and the build tree in $MN_TEST_BUILD. Pictures of the page stay in studio/shots of the
 * build tree. Ends with 77, which means skipped, where there is no browser or no page. Arguments: names of tests. */

import { strict as assert } from "node:assert";
import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

const build = process.env.MN_TEST_BUILD, source = process.env.MN_TEST_SOURCE, program = process.env.MENISCUS;
const patience = 60_000; /* ms that something on the page may take, on a machine with other work */

function skip(why) {
    console.log(`skipped: ${why}`);
    process.exit(77);
}

const chromiumPath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
if (!chromiumPath) skip("there is no Chromium (Debian: chromium)");
if (!existsSync(join(build, "studio/page/index.html"))) skip("the studio's page was not built");
const { chromium } = createRequire(join(build, "studio/work/package.json"))("playwright-core");

const shots = join(build, "studio/shots");
mkdirSync(shots, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), "meniscus-studio-"));
const processes = new Set();

/* ---- the program and the page ------------------------------------------------------------------------------------ */

/** Starts the studio and gives its address. */
async function startStudio(name, { environment = {}, scene = [] } = {}) {
    const output = join(folder, name);
    const child = spawn(program, ["studio", ...scene, "--no-open", "--threads", "1", "-o", output],
        { env: { ...process.env, ...environment }, stdio: ["ignore", "pipe", "pipe"] });
    processes.add(child);
    child.once("exit", () => processes.delete(child));
    let said = "";
    const address = await new Promise((found, failed) => {
        const listen = (text) => {
            said += text;
            const match = /http:\/\/\S+/.exec(said);
            if (match) found(match[0]);
        };
        child.stdout.on("data", listen);
        child.stderr.on("data", listen);
        child.once("exit", () => failed(new Error(`meniscus studio ended: ${said}`)));
    });
    return { address, output, child, said: () => said };
}

async function stopStudio(studio) {
    if (studio.child.exitCode !== null || studio.child.signalCode !== null) return;
    const ended = new Promise((done) => studio.child.once("exit", done));
    studio.child.kill("SIGINT");
    await ended;
}

/** A page of the studio. It must neither ask for anything elsewhere nor complain, unless a test says so. */
async function openPage(browser, studio, options = {}) {
    const context = await browser.newContext(
        { viewport: { width: 1280, height: 720 }, colorScheme: "light", acceptDownloads: true, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(patience);
    page.complaints = [];
    const origin = new URL(studio.address).origin;
    page.on("request", (request) => {
        const { protocol, origin: asked } = new URL(request.url());
        if (asked !== origin && protocol !== "blob:" && protocol !== "data:") page.complaints.push(`asks for ${request.url()}`);
    });
    page.on("console", (message) => {
        if (message.type() === "error") page.complaints.push(message.text());
    });
    page.on("pageerror", (error) => page.complaints.push(String(error)));
    await page.goto(studio.address);
    await page.waitForSelector("html[data-connected=true]");
    return page;
}

const number = async (page, id) => Number(await page.getAttribute(`#${id}`, "data-value"));
const isState = (page, state) => page.waitForFunction(
    (wanted) => document.querySelector("#now-state").textContent === wanted, state);
const reaches = (page, id, value) => page.waitForFunction(
    ([where, least]) => Number(document.getElementById(where).dataset.value) >= least, [id, value]);
/** Some fluid has been drawn. */
const isDrawn = (page) => page.waitForFunction(() => Number(document.querySelector("#view").dataset.time) > 0);
const shownTime = (page) => page.evaluate(() => Number(document.querySelector("#view").dataset.time));

async function openCard(page, scene) {
    await page.click(`.card[data-scene=${scene}]`);
    await page.waitForSelector("#library", { state: "hidden" });
}

/** Fills a field of the form. What comes after it reaches the server after it. */
async function setField(page, path, value) {
    await page.fill(`[id="field-${path}"]`, String(value));
    await page.press(`[id="field-${path}"]`, "Enter");
}

/* A scene that no machine gets through while a test looks at it. */
const long = "wetting_cycle";

/** The drop on the slope with few particles, held by friction until somebody lets go. */
async function openSmallDrop(page, duration) {
    await openCard(page, "drop_on_slope");
    await page.click("#tab-scene");
    await setField(page, "duration", duration);
    await setField(page, "spacing", 0.0004);
    await page.click('details[data-path="schedules"] > summary');
    await page.click("text=Remove schedules 1");
    await page.waitForSelector('details[data-path="schedules"]', { state: "detached" });
    await page.click("#tab-live");
}

async function downloaded(page, act) {
    const [file] = await Promise.all([page.waitForEvent("download"), act()]);
    const name = file.suggestedFilename(), path = join(folder, "downloads", name);
    await file.saveAs(path);
    return { path, name, bytes: readFileSync(path) };
}

/** How many colours a picture has, as the browser itself reads it. */
const coloursOf = (page, bytes) => page.evaluate(async (data) => {
    const picture = await createImageBitmap(new Blob([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))]));
    const canvas = new OffscreenCanvas(picture.width, picture.height), pen = canvas.getContext("2d");
    pen.drawImage(picture, 0, 0);
    const pixels = new Uint32Array(pen.getImageData(0, 0, picture.width, picture.height).data.buffer);
    return new Set(pixels).size;
}, bytes.toString("base64"));

const shoot = (page, name) => page.screenshot({ path: join(shots, `${name}.png`) });

/* ---- the tests --------------------------------------------------------------------------------------------------- */

const tests = {
    /* Choose, edit, run, watch, steer, pause, scrub, keep pictures, and repeat it all from the scene it hands out. */
    async steers_and_repeats(browser) {
        const studio = await startStudio("steered");
        const page = await openPage(browser, studio);
        assert.equal(await page.locator(".card").count(), readdirSync(join(source, "scenes")).length);
        await shoot(page, "library");
        await openSmallDrop(page, 0.08);
        await page.waitForSelector('#view[data-time="0"]'); /* where it starts is seen before it runs */
        assert(!existsSync(studio.output), "and nothing is written for it");
        await shoot(page, "opened");

        /* Held by friction it comes to rest. */
        const view = page.locator("#view");
        await page.click("#step");
        await isState(page, "paused");
        await isDrawn(page);
        assert.equal(await number(page, "now-step"), 1);
        const first = await view.screenshot();
        await page.click("#run");
        await isState(page, "done");
        await page.waitForFunction(() => Number(document.querySelector("#view").dataset.time) >= 0.08);
        assert.notDeepEqual(await view.screenshot(), first, "particles have moved");
        const held = await number(page, "now-kinetic");

        /* Without friction from its first step on it slides. */
        await page.click("#tab-scene");
        await setField(page, "fps", 200);
        await page.click("#tab-live");
        await isState(page, "ready");
        await page.click("#step");
        await isState(page, "paused");
        const gravity = page.locator('#steer [aria-label="Gravity, x"]'), before = await gravity.inputValue();
        await gravity.evaluate((field) => {
            field.max = "";
            field.value = "1e9";
            field.dispatchEvent(new Event("change"));
        });
        await page.waitForSelector('.steer-row:has([aria-label="Gravity, x"]) .problem:not([hidden])');
        assert.equal(await gravity.inputValue(), before, "what was refused does not hold");
        await page.fill('[aria-label="Friction μ, slope, number"]', "0");
        await page.press('[aria-label="Friction μ, slope, number"]', "Enter");
        await page.click("#run");
        await isState(page, "done");
        await page.waitForSelector("#timeline-marks i", { state: "attached" });
        await shoot(page, "steered");
        assert(await number(page, "now-kinetic") > 100 * held, "without friction the drop slides");

        /* Whoever comes late sees that too. */
        await page.reload();
        await page.waitForSelector('#timeline-marks i[title^="Friction"]', { state: "attached" });
        await reaches(page, "now-kinetic", 100 * held);

        await page.focus("#timeline-slider");
        await page.press("#timeline-slider", "Home");
        await page.waitForSelector('#view[data-frame="0"]');
        assert.equal(await shownTime(page), 0);
        await shoot(page, "scrubbed");
        await page.press("#timeline-slider", "End");
        await page.waitForSelector('#view[data-frame="16"]');
        await page.click("#timeline-live");

        const picture = await downloaded(page, () => page.click("#picture"));
        assert.equal(picture.bytes.subarray(1, 4).toString(), "PNG");
        assert(await coloursOf(page, picture.bytes) > 50, "the picture shows something");
        const film = await downloaded(page, async () => {
            await page.click("#film");
            await page.waitForTimeout(1000);
            await page.click("#film");
        });
        assert.equal(film.bytes.readUInt32BE(0), 0x1a45dfa3, "EBML");
        assert(film.bytes.subarray(0, 64).includes("webm") && film.bytes.length > 2000);

        await page.click("#tab-scene");
        const scene = await downloaded(page, () => page.click("#download"));
        assert.equal(scene.name, "drop_on_slope.json");
        assert.deepEqual(page.complaints, []);
        await stopStudio(studio);

        const repeated = join(folder, "repeated");
        execFileSync(program, ["run", scene.path, "-q", "--format", "ply", "-o", repeated]);
        const same = (name) => assert(readFileSync(join(repeated, name)).equals(readFileSync(join(studio.output, name))), name);
        const frames = readdirSync(join(repeated, "frames"));
        assert(frames.length >= 17);
        for (const name of ["series.csv", ...frames.map((frame) => join("frames", frame))]) same(name);
    },

    /* A run that was made elsewhere, with its frames, its numbers and its charts; and one whose series was torn. */
    async looks_through_a_finished_run(browser) {
        const run = join(folder, "elsewhere");
        const scene = join(folder, "elsewhere.json");
        writeFileSync(scene, JSON.stringify({ spacing: 0.001, duration: 0.05, fps: 200, fluids: { water: {
            bodies: [{ shape: { kind: "box", size: [0.008, 0.008, 0.008], translation: [0, 0, 0.004] } }] } },
            solids: { floor: { shape: { kind: "plane", size: [0.04, 0.04] }, contact_angle: 60 } } }));
        execFileSync(program, ["run", scene, "-q", "--format", "ply", "-o", run]);
        const rows = readFileSync(join(run, "series.csv"), "utf8").trim().split("\n");
        const recorded = Object.fromEntries(rows[0].split(",").map((name, i) =>
            [name.split(" ")[0], Number(rows.at(-1).split(",")[i])]));
        let studio = await startStudio("again", { scene: [run] });
        let page = await openPage(browser, studio);
        await isState(page, "done");
        await isDrawn(page);
        await page.waitForFunction(() => document.querySelector("#now-kinetic").dataset.value !== "");
        assert.equal(await number(page, "now-time"), recorded.time);
        assert.equal(await number(page, "now-particles"), recorded.particles_fluid);
        const kinetic = await number(page, "now-kinetic");
        assert.ok(Math.abs(kinetic / recorded.energy_kinetic - 1) < 1e-5, `${kinetic}, not ${recorded.energy_kinetic}`);
        await page.waitForFunction(() => document.querySelectorAll(".chart-value")[2].textContent !== ""); /* drawn */
        await shoot(page, "finished");
        assert.equal(await page.locator(".note-card").count(), 0);

        /* A frame that has gone is told and skipped. */
        rmSync(join(run, "frames", readdirSync(join(run, "frames")).sort()[2]));
        await page.click("#timeline-play");
        await page.waitForSelector('.note-card.error:has-text("frame")');
        await page.waitForSelector('#timeline-play[data-icon="play"]');
        await page.waitForSelector('#view[data-frame="10"]');
        assert.deepEqual(page.complaints, []);
        await stopStudio(studio);

        writeFileSync(join(run, "series.csv"), [...rows.slice(0, 5), "4,0.0"].join("\n"));
        studio = await startStudio("again", { scene: [run] });
        page = await openPage(browser, studio);
        await page.waitForSelector('.note-card.error:has-text("row 5 of")');
        await isDrawn(page);
        assert.deepEqual(page.complaints, []);
        await stopStudio(studio);
    },

    /* No mouse at all. */
    async works_by_keyboard(browser) {
        const studio = await startStudio("keyboard");
        const page = await openPage(browser, studio);
        await page.waitForSelector(".card");
        for (let i = 0; i < 60; i++) {
            await page.keyboard.press("Tab");
            if (await page.evaluate(() => document.activeElement.dataset.scene) === long) break;
        }
        await page.keyboard.press("Enter");
        await page.waitForSelector("#library", { state: "hidden" });
        await page.focus("#view");
        await page.keyboard.press("Space");
        await reaches(page, "now-step", 1);
        await page.keyboard.press("Space");
        await isState(page, "paused");
        const step = await number(page, "now-step");
        await page.keyboard.press(".");
        await page.waitForFunction((next) => Number(document.querySelector("#now-step").dataset.value) === next, step + 1);
        await isDrawn(page);
        const before = await page.locator("#view").screenshot();
        await page.keyboard.press("ArrowLeft");
        await page.keyboard.press("+");
        assert.notDeepEqual(await page.locator("#view").screenshot(), before, "arrows turn the view");
        await page.keyboard.press("Enter");
        await page.waitForSelector("#inspector-rows dd");
        await page.keyboard.press("x");
        await page.waitForSelector("#slice-box");
        await page.keyboard.press("c");
        await page.waitForSelector('.legend-title:has-text("Pressure")');
        await shoot(page, "keyboard");
        await page.keyboard.press("Escape");
        await page.waitForSelector("#inspector", { state: "hidden" });
        await page.keyboard.press("[");
        await page.waitForSelector('#view[data-frame="0"]');
        await page.keyboard.press("?");
        await page.waitForSelector("#keys[open]");
        await page.keyboard.press("Escape");
        await page.keyboard.press("2");
        await page.waitForSelector("#panel-scene");
        await page.keyboard.press("s");
        await isState(page, "stopped");
        await page.keyboard.press("r");
        await reaches(page, "now-step", 1);
        assert.deepEqual(page.complaints, []);
        await stopStudio(studio);
    },

    /* A phone held upright: everything can be reached, nothing hangs over. */
    async fits_a_phone(browser) {
        const studio = await startStudio("phone");
        const page = await openPage(browser, studio,
            { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: "dark" });
        await page.waitForSelector(".card");
        await shoot(page, "phone_library");
        await page.tap(`.card[data-scene=${long}]`);
        await page.waitForSelector("#library", { state: "hidden" });
        await page.tap("#run");
        await reaches(page, "now-step", 1);
        await page.waitForSelector("#legend .legend-bar");
        await shoot(page, "phone");
        const seen = await page.evaluate(() => ({
            wide: document.documentElement.scrollWidth,
            outside: [...document.querySelectorAll("#top button, #tools button, [role=tab], #timeline-slider, #field")]
                .filter((control) => control.checkVisibility())
                .filter((control) => {
                    const box = control.getBoundingClientRect();
                    return box.left < 0 || box.right > innerWidth || box.top < 0 || box.bottom > innerHeight;
                }).map((control) => control.id),
            view: document.querySelector("#view").getBoundingClientRect().height,
        }));
        assert.equal(seen.wide, 390);
        assert.deepEqual(seen.outside, []);
        assert(seen.view > 200);
        for (const tab of ["scene", "explain", "live"]) {
            await page.tap(`#tab-${tab}`);
            await page.waitForSelector(`#panel-${tab}`);
        }
        assert.deepEqual(page.complaints, []);
        await stopStudio(studio);
    },

    /* One steers, others watch, and the next one takes over. */
    async second_tab_watches(browser) {
        const studio = await startStudio("watched");
        const first = await openPage(browser, studio);
        await openCard(first, long);
        const second = await openPage(browser, studio);
        await second.waitForSelector("#scene-name:has-text('Wetting cycle')");
        await second.waitForSelector('.banner[data-name="role"]');
        assert(await second.isDisabled("#run"));
        await second.keyboard.press("Space");
        await first.click("#run");
        await reaches(second, "now-step", 1);
        await isDrawn(second);
        for (const id of ["#run", "#stop", "#step", "#restart"]) assert(await second.isDisabled(id), id);
        assert.equal(await second.locator("#steer input:enabled").count(), 0);
        await shoot(second, "watching");
        await second.click("text=Take over when free");
        await first.context().close();
        await second.waitForSelector("#role.steers");
        await second.click("#stop");
        await isState(second, "stopped");
        assert.deepEqual(second.complaints, []);
        await stopStudio(studio);
    },

    /* A plate that goes its way, with the fluid sliced away and the camera held still. */
    async solids_move(browser) {
        const studio = await startStudio("moving");
        const page = await openPage(browser, studio);
        const scene = join(folder, "moving.json");
        writeFileSync(scene, JSON.stringify({ spacing: 0.001, gravity: [0, 0, 0], duration: 0.004,
            fluids: { water: { bodies: [{ shape: { kind: "box", size: [0.006, 0.006, 0.006] } }] } },
            solids: { plate: { shape: { kind: "box", size: [0.01, 0.01, 0.002], translation: [0, 0, -0.01] },
                               motion: [{ time: 0 }, { time: 0.004, translation: [0.005, 0, 0] }] } } }));
        await page.setInputFiles("#library-file", scene);
        await page.waitForSelector("#library", { state: "hidden" });
        await page.click("#step");
        await isState(page, "paused");
        await isDrawn(page);
        await page.click("#slice");
        await page.fill("#slice-place", "0");
        await page.focus("#view");
        await page.keyboard.press("-");
        await page.evaluate(() => document.querySelectorAll(".float").forEach((box) => box.style.visibility = "hidden"));
        const before = await page.locator("#view").screenshot();
        await page.keyboard.press("Space");
        await page.waitForFunction(() => Number(document.querySelector("#view").dataset.time) >= 0.004);
        assert.notDeepEqual(await page.locator("#view").screenshot(), before, "the plate has moved");
        await shoot(page, "moving");
        assert.deepEqual(page.complaints, []);
        await stopStudio(studio);
    },

    /* Where all fluid is yet to come, it is seen when it comes. */
    async begins_without_fluid(browser) {
        const studio = await startStudio("empty");
        const page = await openPage(browser, studio);
        const scene = join(folder, "jet.json");
        writeFileSync(scene, JSON.stringify({ spacing: 0.001, duration: 0.02, fluids: { water: {} },
            emitters: [{ kind: "round", fluid: "water", position: [0, 0, 0], direction: [0, 0, -1], radius: 0.004, speed: 1 }] }));
        await page.setInputFiles("#library-file", scene);
        await page.waitForSelector("#library", { state: "hidden" });
        await page.click("#run");
        await isState(page, "done");
        await page.waitForFunction(() => Number(document.querySelector("#view").dataset.time) >= 0.02);
        const picture = await downloaded(page, () => page.click("#picture"));
        assert(await coloursOf(page, picture.bytes) > 50, "the jet is seen");
        assert.deepEqual(page.complaints, []);
        await stopStudio(studio);
    },

    /* What is wrong with a scene is told beside the field, and what is no scene at all is told with its line. */
    async tells_what_is_wrong_with_a_scene(browser) {
        const studio = await startStudio("wrong");
        const page = await openPage(browser, studio);
        const broken = join(folder, "broken.json");
        writeFileSync(broken, '{\n  "spacing": 0.001,\n  "fluids": {"water" {}}\n}\n');
        await page.setInputFiles("#library-file", broken);
        await page.waitForSelector(':is(#notes, .problems):has-text("line 3")');
        await shoot(page, "broken");

        const small = join(folder, "small.json");
        writeFileSync(small, JSON.stringify({ spacing: 0.001, fluids: { water: {
            bodies: [{ shape: { kind: "box", size: [0.008, 0.008, 0.008] } }] } } }));
        if (!await page.isVisible("#library")) await page.click("#library-open");
        await page.setInputFiles("#library-file", small);
        await page.waitForSelector("#scene-name:has-text('Small')");
        await page.click("#tab-scene");
        await page.fill("#field-fps", "-3");
        await page.press("#field-fps", "Enter");
        await page.waitForSelector('.field[data-path="fps"] .problem:not([hidden])');
        assert(await page.isDisabled("#run"));
        await shoot(page, "problem");
        await page.click('.field[data-path="fps"] .reset');
        await page.waitForSelector('.field[data-path="fps"] .problem', { state: "hidden" });
        assert(await page.isEnabled("#run"));
        await page.fill("#form-search", "viscosity");
        assert.equal(await page.locator(".field:visible").count(), 1);
        assert.deepEqual(page.complaints, []);
        await stopStudio(studio);
    },

    /* A solver that gives up says why, in the page and in the terminal. */
    async tells_why_a_run_failed(browser) {
        const studio = await startStudio("failing");
        const page = await openPage(browser, studio);
        const scene = join(folder, "unstable.json");
        writeFileSync(scene, JSON.stringify({ spacing: 0.002, gravity: [0, 0, 0],
            time_step: { min: 0.01, max: 0.02, capillary_ratio: 100, cfl_acceleration: 10, cfl_velocity: 10 },
            solver: { max_iterations: 2, volume_tolerance: 1e-9, force_tolerance: 1e-12 },
            fluids: { water: { bodies: [{ shape: { kind: "box", size: [0.016, 0.016, 0.016] } }] } } }));
        await page.setInputFiles("#library-file", scene);
        await page.waitForSelector("#library", { state: "hidden" });
        await page.click("#run");
        await isState(page, "failed");
        await page.waitForSelector('.banner.error:has-text("did not converge")');
        await shoot(page, "failed");
        assert.match(studio.said(), /did not converge/);
        assert.deepEqual(page.complaints, []);
        await stopStudio(studio);
    },

    /* A scene that has gone since the list was made. */
    async tells_of_a_missing_scene(browser) {
        const scenes = join(folder, "scenes");
        mkdirSync(scenes);
        for (const name of ["free_drop", "contact_angle"])
            cpSync(join(source, "scenes", `${name}.json`), join(scenes, `${name}.json`));
        const studio = await startStudio("missing", { environment: { MENISCUS_SCENES: scenes } });
        const page = await openPage(browser, studio);
        await page.waitForSelector(".card");
        rmSync(join(scenes, "free_drop.json"));
        await page.click(".card[data-scene=free_drop]");
        await page.waitForSelector('.note-card.error:has-text("free_drop")');
        await openCard(page, "contact_angle");
        assert.deepEqual(page.complaints, []);
        await stopStudio(studio);
    },

    /* The explanations lead to the report of the validation, with its plots. */
    async shows_the_validation(browser) {
        const studio = await startStudio("validation", { scene: ["contact_angle"] });
        const page = await openPage(browser, studio);
        await page.click("#tab-explain");
        await page.goto(new URL(await page.getAttribute('a[href="validation.html"]', "href"), page.url()).href);
        assert(await page.locator("tbody tr").count() > 100);
        await page.locator("img").first().scrollIntoViewIfNeeded();
        await page.waitForFunction(() => document.querySelector("img").naturalWidth > 0);
        await shoot(page, "validation");
        assert.deepEqual(page.complaints, []);
        await stopStudio(studio);
    },

    /* A server that dies leaves a page that says so. */
    async tells_of_a_lost_connection(browser) {
        const studio = await startStudio("killed");
        const page = await openPage(browser, studio);
        await openCard(page, "contact_angle");
        studio.child.kill("SIGKILL");
        await page.waitForSelector('.banner.error[data-name="connection"]');
        assert(await page.isDisabled("#run"));
        await shoot(page, "lost");
    },
};

/* ---- running them ------------------------------------------------------------------------------------------------ */

const browser = await chromium.launch({ executablePath: chromiumPath, args: [
    "--headless=new", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"] });
const wanted = process.argv.slice(2);
let failures = 0;
for (const [name, test] of Object.entries(tests)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const start = Date.now();
    try {
        await test(browser);
        console.log(`passed ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
    } catch (error) {
        failures++;
        console.log(`FAILED ${name}: ${error.stack ?? error}`);
        for (const [i, page] of browser.contexts().flatMap((context) => context.pages()).entries()) {
            await shoot(page, `failed_${name}_${i}`).catch(() => {});
            if (page.complaints?.length) console.log(page.complaints);
        }
    }
    for (const context of browser.contexts()) await context.close();
    for (const child of processes) child.kill("SIGKILL");
}
await browser.close();
rmSync(folder, { recursive: true, force: true });
process.exit(failures > 0 ? 1 : 0);
