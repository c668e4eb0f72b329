// Mends what the viewer leaves out for screen readers and keyboards, until its makers do. Each rule was found by axe.

const MENDED = [
  // The text of these buttons is hidden from screen readers.
  ["button[class*='copy-button']:not([aria-label])", (button) => (button.ariaLabel = "Copy")],
  // What it names is not always there.
  ["button[class*='copy-button'][aria-controls]", (button) => button.removeAttribute("aria-controls")],
  ["button[aria-label][role=none]", (button) => button.removeAttribute("role")],
  // Each has the same name, and the name of a landmark must be unique.
  [".response-card[role=region]", (card) => card.setAttribute("role", "group")],
  ["section[aria-live][aria-label]", (list, number) => (list.ariaLabel = `Messages ${number + 1}`)],
  // Only what has the focus can be scrolled by keys.
  [".endpoints:not([tabindex]), .cm-scroller[tabindex='-1']", (area) => (area.tabIndex = 0)],
  [".cm-content:not([aria-label])", (editor) => (editor.ariaLabel = "Text")],
  // It opens no list that could be named.
  [".code-input-lite__editor[role=combobox]:not([aria-expanded])", (field) => field.setAttribute("role", "textbox")],
];

/** Mends everything in an element, now and whenever the viewer adds to it. */
export function mend(root) {
  let isPlanned = false;
  const run = () => {
    isPlanned = false;
    for (const [selector, change] of MENDED) root.querySelectorAll(selector).forEach(change);
  };
  new MutationObserver(() => {
    if (isPlanned) return;
    isPlanned = true;
    requestAnimationFrame(run);
  }).observe(root, { childList: true, subtree: true });
}
