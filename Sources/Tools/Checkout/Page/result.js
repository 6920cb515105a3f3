// The result: what came of each part, and the buyer's steps, one after the other.
import { ConnectionLost, amountText, ask, element, hideNotice, row, showNotice, showProgress, sleep } from "/shop.js";

const shortPause = 500;
const longestPause = 5_000;

const partTexts = {
  captured: "Paid.",
  authorized: "Reserved; it is charged when the merchant confirms.",
  capturing: "Being charged.",
  declined: "Declined by the bank",
  rejected: "Refused by the payment provider; your card is not the reason.",
  not_sent: "Not charged.",
  voided: "Released: nothing was charged.",
  voiding: "Being released: nothing is charged.",
  expired: "The reservation has lapsed: nothing was charged.",
  requires_action: "Waits for you to confirm with your bank.",
  capture_failed: "Reserved, but could not be charged.",
};

function partText(part, isRefused) {
  const text = partTexts[part.status] ?? (isRefused ? "Being released: nothing is charged." : "In progress.");
  if (part.status === "declined") return part.message ? `${text}: ${part.message}` : `${text}.`;
  return part.refunded_amount > 0 ? `${text} ${amountText(part.refunded_amount, part.currency)} was given back.` : text;
}

const headlines = {
  accepted: ["Your order is placed", "Everything is paid."],
  charging: ["Your order is placed", "Parts of it are still being charged."],
  partly: ["Your order is placed in part", "Some parts could not be paid; they are left out and not charged."],
  refused: ["Your order was not placed", "Nothing is charged; what was reserved is being released."],
  waiting: ["We are confirming your order", "This page updates by itself. Do not pay again."],
  action: ["Your bank wants you to confirm", "Your order waits for that."],
};

function headline(order) {
  if (order.refused) return headlines.refused;
  if (order.decision === "accepted") {
    if (order.parts.some((part) => !part.counts)) return headlines.partly;
    return order.final ? headlines.accepted : headlines.charging;
  }
  return order.next.length > 0 ? headlines.action : headlines.waiting;
}

let shownTitle = null;

function show(order) {
  const [title, summary] = headline(order);
  element("title").textContent = title;
  document.title = title;
  element("summary").textContent = summary;
  element("parts").replaceChildren(
    ...order.parts.map((part) => {
      const item = row(part.name, amountText(part.amount, order.currency), partText({ ...part, currency: order.currency }, order.refused));
      item.dataset.merchant = part.merchant;
      item.dataset.status = part.status;
      return item;
    }),
  );
  element("charged").textContent = amountText(order.captured_amount - order.refunded_amount, order.currency);
  element("number").textContent = order.id;
  element("order").hidden = false;
  element("again").hidden = !order.refused;
  element("ways").hidden = !order.final && !order.refused;
  document.body.dataset.status = order.status;
  if (title !== shownTitle) {
    shownTitle = title;
    element("title").focus();
  }
}

// Each step is gone to once by itself; if it is still asked for afterwards, the buyer decides.
const followed = () => JSON.parse(sessionStorage.getItem("steps") ?? "[]");

function follow(step, order) {
  const key = `${step.payment} ${step.url}`;
  const name = order.parts.find((part) => part.payment === step.payment)?.name ?? "one part";
  element("steps-text").textContent = `Your bank wants you to confirm the payment to ${name}.`;
  element("step").href = step.url;
  const isNew = element("steps").hidden;
  element("steps").hidden = false;
  if (followed().includes(key)) {
    if (isNew) element("steps-title").focus();
    return;
  }
  sessionStorage.setItem("steps", JSON.stringify([...followed(), key]));
  sessionStorage.setItem("away", "yes");
  showProgress("Taking you to your bank …");
  location.assign(step.url);
}

/** Tells the shop that the buyer is back, so that it asks what came of the step. */
async function comeBack() {
  const address = new URL(location.href);
  const payment = address.searchParams.get("payment");
  const wasAway = sessionStorage.getItem("away") !== null;
  if (payment === null && !wasAway) return;
  await ask("POST", "/api/cart/returned", payment === null ? {} : { payment });
  sessionStorage.removeItem("away");
  history.replaceState(null, "", "/result");
}

async function run() {
  hideNotice();
  try {
    await comeBack();
    for (let pause = shortPause; ; pause = Math.min(pause * 1.2, longestPause)) {
      const order = await ask("GET", "/api/cart/order");
      if (order === null) return location.replace("/");
      show(order);
      if (order.final) {
        showProgress("");
        element("steps").hidden = true;
        return;
      }
      if (order.next.length > 0) {
        // A button stays where the buyer has been there already; the order may still move on without it.
        follow(order.next[0], order);
        if (sessionStorage.getItem("away") !== null) return;
      } else {
        element("steps").hidden = true;
      }
      showProgress("");
      await sleep(pause);
    }
  } catch (error) {
    showProgress("");
    const text = error instanceof ConnectionLost ? "The connection was lost. Your order is safe." : error.message;
    showNotice(text, run);
  }
}

element("step").addEventListener("click", () => sessionStorage.setItem("away", "yes"));

element("fresh").addEventListener("click", async () => {
  try {
    await ask("POST", "/api/cart/fresh", {});
    sessionStorage.clear();
    location.assign("/");
  } catch (error) {
    showNotice(error instanceof ConnectionLost ? "The connection was lost." : error.message);
  }
});

run();
