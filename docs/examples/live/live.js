// Shows comments, people and notifications of one page as they arrive. See README.md.

import { Api } from "./api.js";
import { follow } from "./stream.js";

/** The state "left" is assumed 30 seconds after the last call. */
const STILL_HERE_EVERY = 20_000;
const TYPING_ENDS_AFTER = 3_000;

const byId = (id) => document.getElementById(id);
const threads = new Map();
const people = new Map();
const notifications = new Map();

byId("sign-in").addEventListener("submit", async (event) => {
  event.preventDefault();
  const { server, email, password, page, workspace } = Object.fromEntries(new FormData(event.target));
  try {
    const api = await Api.signIn(server, email, password, workspace || undefined);
    await open(api, page);
    event.target.hidden = true;
  } catch (problem) {
    say(problem.message);
  }
});

async function open(api, page) {
  byId("title").textContent = (await api.get(`/pages/${page}`)).data.title;
  // What happens while the lists are read is in the stream, which is therefore opened first.
  follow(api, { pageId: page, notifications: true }, {
    onOpen: () => say("Connected."),
    onBreak: () => say("Connecting again…"),
    onReset: () => read(api, page),
    onEnd: (reason) => say(`The stream has ended: ${reason}. Sign in again.`),
    onEvent: (event) => changed(api, event),
    onPresence: (presence) => show(api, page, presence),
    onNotification: (notification) => {
      notifications.set(notification.id, notification);
      drawNotifications();
    },
  });
  await read(api, page);
  stayPresent(api, page);
  byId("write").addEventListener("submit", async (event) => {
    event.preventDefault();
    const form = event.target;
    try {
      await api.post("/comments", { pageId: page, body: new FormData(form).get("body") });
      form.reset();
    } catch (problem) {
      say(problem.message);
    }
  });
  byId("page").hidden = false;
}

/** Reads everything that is shown: at first, and after events were missed. */
async function read(api, page) {
  threads.clear();
  for await (const thread of api.list(`/pages/${page}/comments`, { include: "replies" })) {
    threads.set(thread.id, thread);
  }
  drawComments();
  notifications.clear();
  for (const notification of (await api.get("/notifications?unread=true")).data) {
    notifications.set(notification.id, notification);
  }
  drawNotifications();
}

/** An event says what has changed; the thread itself is read again, as this user may see it now. */
async function changed(api, event) {
  if (!event.type.startsWith("comment.")) {
    return;
  }
  const id = event.data.commentId ?? event.resource.id;
  if (event.type === "comment.deleted") {
    threads.delete(id);
  } else {
    const found = await api.find(`/comments/${id}`);
    found ? threads.set(id, found.data) : threads.delete(id);
  }
  drawComments();
}

function show(api, page, { user, state }) {
  // Who comes later has not heard of those who are here.
  if (state !== "left" && user.id !== api.user.id && !people.has(user.id)) {
    tellPresence(api, page);
  }
  state === "left" ? people.delete(user.id) : people.set(user.id, `${user.name} (${state})`);
  fill("people", [...people.values()].sort().map((text) => item(text)));
}

let ownState = "viewing";

/** If a call is lost, the next one follows soon. */
function tellPresence(api, page) {
  api.put(`/pages/${page}/presence`, { state: ownState }).catch(() => {});
}

function stayPresent(api, page) {
  const tell = () => tellPresence(api, page);
  let typingEnds;
  byId("write").addEventListener("input", () => {
    clearTimeout(typingEnds);
    typingEnds = setTimeout(() => { ownState = "viewing"; tell(); }, TYPING_ENDS_AFTER);
    if (ownState !== "editing") {
      ownState = "editing";
      tell();
    }
  });
  setInterval(tell, STILL_HERE_EVERY);
  addEventListener("pagehide", () => { ownState = "left"; tell(); });
  tell();
}

function drawComments() {
  const oldestFirst = [...threads.values()].sort((one, other) => one.createdAt.localeCompare(other.createdAt));
  fill("comments", oldestFirst.map((thread) => {
    const shown = item(thread.body);
    shown.classList.toggle("resolved", thread.status === "resolved");
    if (thread.replies?.length) {
      const replies = document.createElement("ul");
      replies.append(...thread.replies.map((reply) => item(reply.body)));
      shown.append(replies);
    }
    return shown;
  }));
}

function drawNotifications() {
  const newestFirst = [...notifications.values()].sort((one, other) => other.updatedAt.localeCompare(one.updatedAt));
  fill("notifications", newestFirst.map(({ type, actor, resource, preview }) => {
    const about = [actor?.name, type.toLowerCase().replaceAll("_", " "), resource?.title, preview];
    return item(about.filter(Boolean).join(" · "));
  }));
}

/** Texts come from other people, so they are never read as HTML. */
function item(text) {
  const shown = document.createElement("li");
  shown.textContent = text;
  return shown;
}

function fill(id, items) {
  byId(id).replaceChildren(...items);
}

function say(text) {
  byId("status").textContent = text;
}
