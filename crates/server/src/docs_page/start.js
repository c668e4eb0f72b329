// Starts the viewer.

import "./nonce.js";
import { fixAccessibility } from "./accessible.js";
import { createApiReference } from "./standalone.esm.js";

const overview = document.getElementById("overview");

/** Shows the viewer instead of the overview that the server has written, scrolled to the same place. */
function showViewer() {
  if (!overview.isConnected) return;
  const top = overview.scrollTop;
  overview.remove();
  if (top > 0 && !location.hash) window.scrollTo(0, top);
}

/** Only curl, JavaScript (which is also valid TypeScript) and Python remain. */
const HIDDEN_SAMPLES = {
  c: true, clojure: true, csharp: true, dart: true, fsharp: true, go: true, http: true, java: true, julia: true, kotlin: true,
  node: true, objc: true, ocaml: true, php: true, powershell: true, r: true, ruby: true, rust: true, swift: true,
  js: ["axios", "jquery", "ofetch", "xhr"],
  python: ["python3", "aiohttp", "httpx_sync", "httpx_async"],
  shell: ["httpie", "wget"],
};

fixAccessibility(document.body);
createApiReference("#reference", {
  url: new URL("docs/openapi.json", location.href).href,
  slug: "octavo",
  onLoaded: () => requestAnimationFrame(() => requestAnimationFrame(showViewer)),
  // The ids of operations do not change, so links to them stay valid.
  generateOperationSlug: ({ operationId, method, path }) => operationId ?? `${method}${path}`,
  documentDownloadType: "none",
  // The page starts as a list of what there is, and not with the first of its parts opened.
  defaultOpenFirstTag: false,
  // The fields of schemas are shown with the operations that use them.
  hideModels: true,
  hiddenClients: HIDDEN_SAMPLES,
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  // Nothing is loaded from elsewhere or sent there.
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: "never",
  persistAuth: false,
});
