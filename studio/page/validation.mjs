// Turns the report of the validation, docs/validation.md with its plots, into a page of the studio:
// node validation.mjs DOCS PAGE
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { marked } from "marked";

const [docs, page] = process.argv.slice(2);
const isHere = (address) => /^(#|https:|validation\/)/.test(address);

marked.use({
    renderer: {
        // Pages of the sources are not served, so what leads to them is plain text.
        link({ href, tokens }) {
            const text = this.parser.parseInline(tokens);
            return isHere(href) ? `<a href="${href}">${text}</a>` : text;
        },
        table(token) {
            return `<div class="wide">${marked.Renderer.prototype.table.call(this, token)}</div>`;
        },
    },
});

const body = marked.parse(readFileSync(join(docs, "validation.md"), "utf8"));
writeFileSync(join(page, "validation.html"), `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Validation of meniscus</title>
<link rel="icon" href="icon.svg">
<link rel="stylesheet" href="validation.css">
</head>
<body>
<main>
${body}</main>
</body>
</html>
`);
cpSync(join(docs, "validation"), join(page, "validation"), { recursive: true });
