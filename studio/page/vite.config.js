// Everything is addressed relative to the page, since the server has a random token as first part of the path, and
// nothing is put inline, since the server's content policy allows only files of its own.
import { defineConfig } from "vite";

export default defineConfig({
    base: "./",
    build: {
        assetsInlineLimit: 0,
        modulePreload: false,
        chunkSizeWarningLimit: 1000,
        target: "es2022",
    },
});
