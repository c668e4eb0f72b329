// Mends what the viewer leaves out for screen readers and keyboards, until its makers do.

/** Names a button without a text. Those that the viewer forgets copy the code or text beside them. */
function nameButton(button) {
  if (!button.textContent.trim() && !button.ariaLabel) button.ariaLabel = "Copy";
}

/** Each has the same name, and a landmark's name must be unique. */
function groupExamples(card) {
  card.setAttribute("role", "group");
}

/** Only what has the focus can be scrolled by keys. */
function letScroll(list) {
  list.tabIndex = 0;
}

const MENDED = [
  ["button[class*='copy-button']", nameButton],
  [".response-card[role=region]", groupExamples],
  [".endpoints:not([tabindex])", letScroll],
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
