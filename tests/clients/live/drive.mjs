// Opens the example of the live stream in two tabs, as two people. What one of them does has to arrive at the other.

import puppeteer from "puppeteer-core";

const { OCTAVO_URL, EXAMPLE_URL, CHROMIUM, PAGE, WORKSPACE, PASSWORD } = process.env;
const ARRIVES_WITHIN = 5_000;

const browser = await puppeteer.launch({
  executablePath: CHROMIUM,
  // Its sandbox does not work for root, in containers for example.
  args: process.getuid() === 0 ? ["--no-sandbox"] : [],
});
try {
  const [ada, bob] = [await open("ada"), await open("bob")];
  await ada.sees("#people", "Bob");
  await bob.sees("#people", "Ada");

  await ada.writes("The tide is out");
  await bob.sees("#comments", "The tide is out");
  await bob.sees("#notifications", "Ada");
  await ada.page.type("textarea", "I");
  await bob.sees("#people", "Ada (editing)");

  await bob.writes("Look, @Ada");
  await ada.sees("#comments", "Look, @Ada");
  await ada.sees("#notifications", "mention");

  await bob.page.close({ runBeforeUnload: true });
  await ada.seesNot("#people", "Bob");
} finally {
  await browser.close();
}

/** A tab of a browser that shares nothing with other tabs, with somebody signed in. */
async function open(name) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  page.on("pageerror", (problem) => console.error(name, problem));
  page.on("console", (message) => console.error(name, message.text()));
  await page.goto(EXAMPLE_URL);
  const email = process.env[`${name.toUpperCase()}_EMAIL`];
  const values = { server: OCTAVO_URL, email, password: PASSWORD, page: PAGE, workspace: WORKSPACE };
  await page.$eval("#sign-in", (form, values) => {
    Object.entries(values).forEach(([field, value]) => { form.elements[field].value = value; });
  }, values);
  await page.click("#sign-in button");
  const text = (element) => page.$eval(element, (found) => found.innerText);
  const until = async (element, what, holds) => {
    const ends = Date.now() + ARRIVES_WITHIN;
    while (!holds((await text(element)).includes(what))) {
      if (Date.now() > ends) {
        throw new Error(`${name}: "${what}" in ${element}, which is: ${await text(element)} (${await text("#status")})`);
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const tab = {
    page,
    sees: (element, what) => until(element, what, (has) => has),
    seesNot: (element, what) => until(element, what, (has) => !has),
    async writes(comment) {
      await page.type("textarea", comment);
      await page.click("#write button");
    },
  };
  await tab.sees("#status", "Connected");
  return tab;
}
