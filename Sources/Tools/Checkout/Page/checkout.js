// The checkout: shows the cart, and places its order by card or wallet.
import { ConnectionLost, Refused, amountText, ask, element, hideNotice, row, showNotice, showProgress } from "/shop.js";
import { findWallet } from "/wallet.js";

let cart = null;
let wallet = null;
let prepared = null;
let isPaying = false;

async function load() {
  showProgress("Loading your cart …");
  try {
    cart = await ask("GET", "/api/cart");
  } catch {
    showProgress("");
    return showNotice("The shop cannot be reached.", load);
  }
  showProgress("");
  // An order that is on its way or accepted is not paid again.
  if (cart.order && !cart.order.refused) return location.replace("/result");
  show();
  await offerWallet();
}

function show() {
  const total = amountText(cart.amount, cart.currency);
  element("items").replaceChildren(
    ...cart.items.map((item) => row(item.name, amountText(item.amount, cart.currency), item.merchant_name)),
  );
  element("total").textContent = total;
  element("pay").textContent = `Pay ${total}`;
  element("policies").replaceChildren(...cart.policies.map(policyChoice));
  element("cards").replaceChildren(...cart.items.map(cardField));
  element("form").hidden = false;
}

function policyChoice(policy, index) {
  const label = document.createElement("label");
  label.className = "choice";
  const input = document.createElement("input");
  Object.assign(input, { type: "radio", name: "policy", value: policy.id, checked: index === 0 });
  const text = document.createElement("span");
  text.textContent = policy.name;
  label.append(input, text);
  return label;
}

function cardField(item) {
  const field = document.createElement("div");
  field.className = "field";
  const id = `card-${item.merchant}`;
  const label = document.createElement("label");
  label.htmlFor = id;
  label.textContent = `Card for ${item.merchant_name}, ${amountText(item.amount, cart.currency)}`;
  const select = document.createElement("select");
  Object.assign(select, { id, name: `card:${item.merchant}` });
  select.setAttribute("aria-describedby", "cards-hint");
  select.append(...cart.cards.map((card) => new Option(card.name, card.id)));
  field.append(label, select);
  return field;
}

/** The sheet has to open while a click is handled, so its request is prepared beforehand. */
async function offerWallet() {
  try {
    const isPossible = globalThis.ApplePaySession || globalThis.PaymentRequest;
    prepared = isPossible && cart.wallet ? await ask("POST", "/api/cart/payment-request", {}) : null;
    wallet = await findWallet(prepared, { session, place: placeByWallet });
  } catch {
    wallet = null;
  }
  element("wallet").hidden = wallet === null;
}

/** A merchant session: with a key of the page's own from the gateway itself, else through the shop. */
async function session(validationURL) {
  const body = { domain: cart.wallet.domain, validation_url: validationURL };
  const key = cart.wallet.publishable_key;
  if (!key) return ask("POST", "/api/cart/apple-pay-session", { validation_url: validationURL });
  const reply = await fetch(`${cart.wallet.gateway}/v1/apple-pay/sessions`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
    credentials: "omit",
  });
  if (!reply.ok) throw new Error(`no merchant session: ${reply.status}`);
  return reply.json();
}

const chosenPolicy = () => new FormData(element("form")).get("policy");

function chosenCards() {
  const cards = {};
  for (const [name, value] of new FormData(element("form"))) {
    if (name.startsWith("card:")) cards[name.slice("card:".length)] = value;
  }
  return cards;
}

/** Places the order of this attempt. The shop keeps one key for it: a repeat finds what the first has done. */
function place(payment) {
  return ask("POST", "/api/cart/order", { attempt: cart.attempt, policy: chosenPolicy(), payment });
}

async function placeByWallet(token) {
  const payment = { type: "apple_pay", token, payment_request: prepared.id };
  try {
    const order = await place(payment);
    return order.apple_pay ?? { status: order.refused ? "failure" : "success" };
  } catch (error) {
    explain(error, () => pay(payment));
    return error.body?.apple_pay ?? { status: "failure" };
  }
}

async function pay(payment) {
  if (isPaying) return;
  setPaying(true);
  hideNotice();
  showProgress("Paying … do not close this page.");
  try {
    await place(payment);
    location.assign("/result");
  } catch (error) {
    showProgress("");
    setPaying(false);
    explain(error, () => pay(payment));
  }
}

function explain(error, repeat) {
  if (error instanceof ConnectionLost) {
    showNotice(
      "The connection was lost, so we do not know yet whether your order was placed. Try again: nothing is paid twice.",
      repeat,
    );
  } else if (error instanceof Refused) {
    showNotice(error.message);
  } else {
    showNotice("Something went wrong on this page. Nothing was charged by it.");
  }
}

function setPaying(value) {
  isPaying = value;
  element("pay").disabled = value;
  element("apple-pay").disabled = value;
}

element("form").addEventListener("submit", (event) => {
  event.preventDefault();
  pay({ type: "cards", cards: chosenCards() });
});

element("apple-pay").addEventListener("click", async () => {
  if (isPaying || !wallet) return;
  setPaying(true);
  hideNotice();
  const outcome = await wallet.pay();
  setPaying(false);
  if (outcome.placed && element("notice").hidden) location.assign("/result");
  if (outcome.error) showNotice("Apple Pay could not start. Nothing was charged; pay by card, or try again.");
  // A request is good for one sheet.
  if (!outcome.placed) await offerWallet();
});

load();
