// What both pages need of the shop's server: requests with a time limit, repeats, amounts and notices.

/** No answer came: the request may have been done or not, so only its repeat tells. */
export class ConnectionLost extends Error {}

/** The server refused; `message` is for the buyer. */
export class Refused extends Error {
  constructor(status, body) {
    super(body?.detail ?? "The shop could not do that.");
    this.status = status;
    this.body = body ?? {};
  }
}

const timeLimit = 25_000;
const pauses = [500, 1500];

async function once(method, path, body) {
  let reply;
  let text;
  try {
    reply = await fetch(path, {
      method,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
      cache: "no-store",
      credentials: "same-origin",
      signal: AbortSignal.timeout(timeLimit),
    });
    text = await reply.text();
  } catch {
    throw new ConnectionLost();
  }
  let json;
  try {
    json = text === "" ? null : JSON.parse(text);
  } catch {
    throw new ConnectionLost();
  }
  if (reply.ok) return json;
  // The shop has no answer either: its repeat is safe, for it keeps one idempotency key for the cart.
  if (reply.status >= 500) throw new ConnectionLost();
  throw new Refused(reply.status, json);
}

/** Asks, and asks again a little later while no answer comes; every request of the shop may be repeated. */
export async function ask(method, path, body) {
  for (const pause of pauses) {
    try {
      return await once(method, path, body);
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
    }
    await sleep(pause * (1 + Math.random()));
  }
  return once(method, path, body);
}

export const sleep = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

export const element = (id) => document.getElementById(id);

/** Minor units of a currency as people write them. */
export function amountText(minorUnits, currency) {
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  return format.format(minorUnits / 10 ** format.resolvedOptions().maximumFractionDigits);
}

/** A name and an amount beside each other, and a line below. */
export function row(name, amount, detail) {
  const item = document.createElement("li");
  const line = document.createElement("p");
  line.className = "row";
  const label = document.createElement("span");
  label.textContent = name;
  const value = document.createElement("span");
  value.textContent = amount;
  line.append(label, " ", value);
  item.append(line);
  if (detail) {
    const below = document.createElement("p");
    below.className = "detail";
    below.textContent = detail;
    item.append(below);
  }
  return item;
}

let repeatAction = null;

/** Shows what went wrong, with a button that does `repeat` if there is anything to repeat. */
export function showNotice(text, repeat = null) {
  repeatAction = repeat;
  element("notice-text").textContent = text;
  element("repeat").hidden = repeat === null;
  element("repeat").onclick = () => {
    const action = repeatAction;
    hideNotice();
    action?.();
  };
  element("notice").hidden = false;
  element("notice").focus();
}

export function hideNotice() {
  repeatAction = null;
  element("notice").hidden = true;
}

export function showProgress(text) {
  element("progress").textContent = text;
}
