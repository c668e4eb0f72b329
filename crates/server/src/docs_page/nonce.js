// Parts of the viewer insert style sheets without the nonce that the policy of the page requires. This script runs before
// the viewer and adds the nonce to each style sheet.

const nonce = document.querySelector("meta[property=csp-nonce]").content;
const createElement = document.createElement;

document.createElement = function (name, options) {
  const element = createElement.call(document, name, options);
  if (String(name).toLowerCase() === "style") element.nonce = nonce;
  return element;
};
