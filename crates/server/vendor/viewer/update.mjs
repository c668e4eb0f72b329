// Brings the files of the viewer up to the pinned release: downloads the package from npm, compares its checksum, keeps
// the files that the page can load, and collects the licences of everything in them. To use another release, change
// VERSION and SHA512, and run `node update.mjs`.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";

const PACKAGE = "@scalar/api-reference";
const VERSION = "1.72.1";
const SHA512 =
  "XpEJ0rfc/cXbCrR+iC4kK0o/WwX2dTtGQbT049OlPKAHD6IMIFdTeGz2r+M27P2EDWKyUITRm/NzlP8z2pw/Ow==";

const ENTRY = "standalone.esm.js";
// A chat with a service of the viewer's authors. It is switched off, so nothing requests its code.
const LEFT_OUT = ["AgentScalarDrawer"];
// Pictures for chapters that name one; ours do not.
const PICTURE = /\.svg-[\w-]+\.js$/;
// In the files of the viewer, but not in their source maps, which end at the package that contains them.
const WITHIN_OTHERS = { "highlight.js": "11.11.1", lowlight: "3.3.0" };

const here = dirname(fileURLToPath(import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), "viewer-"));

/** Downloads and unpacks a package of npm; returns its folder. */
function unpack(name, version, sha512) {
  const [packed] = JSON.parse(
    execFileSync("npm", ["pack", "--json", "--pack-destination", scratch, `${name}@${version}`], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }),
  );
  const archive = join(scratch, packed.filename);
  const found = createHash("sha512").update(readFileSync(archive)).digest("base64");
  if (sha512 && found !== sha512) {
    throw new Error(`${name} ${version} has the checksum ${found}, not ${sha512}`);
  }
  const folder = join(scratch, `${name}-${version}`);
  mkdirSync(folder, { recursive: true });
  execFileSync("tar", ["xzf", archive, "-C", folder]);
  // The folder in an archive is not always named `package`.
  return join(folder, readdirSync(folder)[0]);
}

/** The files that a file imports: at once, and later. */
function imports(folder, file) {
  const text = readFileSync(join(folder, file), "utf8");
  const named = (pattern) => [...text.matchAll(pattern)].map(([, path]) => posix.join(posix.dirname(file), path));
  return {
    atOnce: named(/(?:from|import)\s*["'`](\.[^"'`]+\.js)["'`]/g),
    later: named(/import\(\s*["'`](\.[^"'`]+\.js)["'`]\s*\)/g),
  };
}

/** The entry and what it imports, directly or not, with or without what is imported later. */
function reachable(folder, withLater) {
  const found = new Set();
  const open = [ENTRY];
  for (let file = open.pop(); file; file = open.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    const { atOnce, later } = imports(folder, file);
    const wanted = later.filter((path) => !PICTURE.test(path) && !LEFT_OUT.some((name) => path.includes(name)));
    open.push(...atOnce, ...(withLater ? wanted : []));
  }
  return [...found].sort();
}

/** The packages whose code is in these files, by their source maps. */
function contained(folder, files) {
  const found = new Map(Object.entries(WITHIN_OTHERS));
  for (const file of files) {
    const map = join(folder, `${file}.map`);
    // A few lines of the bundler have none.
    if (!existsSync(map)) continue;
    for (const source of JSON.parse(readFileSync(map, "utf8")).sources) {
      const match = /\.pnpm\/@?[^@/]+@([^/_(]+)[^/]*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source);
      if (match) found.set(match[2], match[1]);
    }
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The text of a package's licence file, or what it says in its place. */
function licence(folder, manifest) {
  const name = readdirSync(folder).find((file) => /^licen[cs]e(\.|-|$)/i.test(file) && statSync(join(folder, file)).isFile());
  if (name) return readFileSync(join(folder, name), "utf8").replace(/\r\n/g, "\n").replace(/[ \t]+$/gm, "").trim();
  const author = typeof manifest.author === "object" ? manifest.author.name : manifest.author;
  return `(no licence file in the package; license: ${manifest.license}, author: ${author ?? "the authors of the package"})`;
}

const root = unpack(PACKAGE, VERSION, SHA512);
const browser = join(root, "dist/browser");
const files = reachable(browser, true);
const first = reachable(browser, false);

for (const old of ["dist", "files.rs"]) rmSync(join(here, old), { recursive: true, force: true });
for (const file of files) {
  const bytes = readFileSync(join(browser, file));
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_LGWIN]: 22,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  const target = join(here, "dist", `${file}.br`);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, brotliCompressSync(bytes, { params }));
}

const rows = files.map((file) => `    (${JSON.stringify(file)}, include_bytes!("dist/${file}.br")),\n`).join("");
const names = first.map((file) => `    ${JSON.stringify(file)},\n`).join("");
writeFileSync(
  join(here, "files.rs"),
  `//! The files of ${PACKAGE} ${VERSION}. Written by \`update.mjs\`.

/// The path of each file, and its content, compressed with brotli.
pub(super) static FILES: &[(&str, &[u8])] = &[
${rows}];

/// The files without which the page cannot start. They import nothing else.
pub(super) static FIRST: &[&str] = &[
${names}];
`,
);
execFileSync("rustfmt", ["--edition", "2024", join(here, "files.rs")]);

const packages = [];
const texts = new Map();
function list(name, version, folder) {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  packages.push({ name, version, license: manifest.license });
  const text = licence(folder, manifest);
  texts.set(text, [...(texts.get(text) ?? []), `${name} ${version}`]);
}
for (const [name, version] of contained(browser, files)) list(name, version, unpack(name, version));
const own = readFileSync(join(here, "LICENSE"), "utf8").trim();
packages.unshift({ name: PACKAGE, version: VERSION, license: JSON.parse(readFileSync(join(root, "package.json"), "utf8")).license });
writeFileSync(join(here, "packages.json"), `[\n${packages.map((one) => `  ${JSON.stringify(one)}`).join(",\n")}\n]\n`);
const chapters = [...texts].map(([text, users]) => `${users.join(", ")}\n\n${text}\n`);
const line = `\n${"-".repeat(80)}\n\n`;
writeFileSync(join(here, "LICENSES.txt"), [`${PACKAGE} ${VERSION}\n\n${own}\n`, ...chapters].join(line));

rmSync(scratch, { recursive: true, force: true });
const size = files.reduce((sum, file) => sum + statSync(join(here, "dist", `${file}.br`)).size, 0);
console.log(`${files.length} files, ${Math.round(size / 1024)} KB compressed, ${packages.length} packages`);
