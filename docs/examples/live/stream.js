const FIRST_WAIT = 1_000;
const LONGEST_WAIT = 30_000;

/** After these reasons a new ticket does not help. */
const FINAL = ["revoked"];

/**
 * Follows the events of a workspace, also over breaks: each connection needs a new ticket, and goes on behind the last
 * event that was received.
 */
export async function follow(api, query, { onOpen, onBreak, onReset, onEnd, onEvent, onPresence, onNotification }) {
  let lastEventId;
  let wait = FIRST_WAIT;
  for (;;) {
    const reason = await connect();
    if (FINAL.includes(reason)) {
      return onEnd(reason);
    }
    onBreak();
    await new Promise((resolve) => setTimeout(resolve, wait));
    wait = Math.min(wait * 2, LONGEST_WAIT);
  }

  /** One connection. Returns why it has ended. */
  async function connect() {
    let address;
    try {
      address = await api.streamAddress({ ...query, lastEventId });
    } catch (problem) {
      return problem.status === 401 || problem.status === 403 ? "revoked" : "refused";
    }
    return new Promise((resolve) => {
      const source = new EventSource(address);
      const end = (reason) => {
        source.close();
        resolve(reason);
      };
      const on = (type, handle) => source.addEventListener(type, (frame) => handle(JSON.parse(frame.data), frame));
      source.addEventListener("open", () => {
        wait = FIRST_WAIT;
        onOpen();
      });
      // A browser would connect again by itself, with a ticket that is used up.
      source.addEventListener("error", () => end("broken"));
      on("reset", () => {
        lastEventId = undefined;
        onReset();
      });
      on("close", ({ reason }) => end(reason));
      on("presence.updated", onPresence);
      on("notification.upserted", onNotification);
      for (const type of COMMENT_EVENTS) {
        on(type, (event, frame) => {
          lastEventId = frame.lastEventId;
          onEvent(event);
        });
      }
    });
  }
}

/** `EventSource` hands out only events whose type somebody listens to. */
const COMMENT_EVENTS = [
  "comment.created",
  "comment.updated",
  "comment.deleted",
  "comment.reply_created",
  "comment.reply_deleted",
  "comment.resolved",
  "comment.reopened",
  "comment.reaction_added",
  "comment.reaction_removed",
];
