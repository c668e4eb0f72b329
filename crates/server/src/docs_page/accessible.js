// Fixes what the viewer gets wrong for screen readers and keyboards, until its authors fix it. axe reported each of these.

/** Pairs of a selector and the change for the elements that it finds. */
const FIXES = [
  // The text of these buttons is hidden from screen readers.
  ["button[class*='copy-button']:not([aria-label])", (button) => (button.ariaLabel = "Copy")],
  // The element that they name is not always there.
  ["button[class*='copy-button'][aria-controls]", (button) => button.removeAttribute("aria-controls")],
  ["button[aria-label][role=none]", (button) => button.removeAttribute("role")],
  // All of them have the same name, but the name of a landmark must be unique.
  [".response-card[role=region]", (card) => card.setAttribute("role", "group")],
  ["section[aria-live][aria-label]", (list, number) => (list.ariaLabel = `Messages ${number + 1}`)],
  // Keys can scroll an area only if it can have the focus.
  [".endpoints:not([tabindex]), .cm-scroller[tabindex='-1']", (area) => (area.tabIndex = 0)],
  [".cm-content:not([aria-label])", (editor) => (editor.ariaLabel = "Text")],
  // It opens no list, which a combobox would have to name.
  [".code-input-lite__editor[role=combobox]:not([aria-expanded])", (field) => field.setAttribute("role", "textbox")],
];

/** Applies the fixes in an element whenever the viewer has added something to it. */
export function fixAccessibility(root) {
  let isPlanned = false;
  const run = () => {
    isPlanned = false;
    for (const [selector, change] of FIXES) root.querySelectorAll(selector).forEach(change);
  };
  new MutationObserver(() => {
    if (isPlanned) return;
    isPlanned = true;
    requestAnimationFrame(run);
  }).observe(root, { childList: true, subtree: true });
}
