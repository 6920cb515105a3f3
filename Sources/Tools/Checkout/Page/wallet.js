// Apple Pay on the web: Apple Pay JS where the browser has it, else the Payment Request API.
//
// Both take the request that Tributary made, with one token context a merchant, and hand over one token for all.

const version = 14; // the first with multiTokenContexts
const method = "https://apple.com/apple-pay";

/**
 * Which way this browser can pay; null if none.
 *
 * `shop` has `session(validationURL)`, which answers a merchant session, and `place(token)`, which answers
 * `{status, errors}` for the sheet.
 */
export async function findWallet(prepared, shop) {
  if (!prepared) return null;
  if (globalThis.ApplePaySession?.supportsVersion?.(version) && ApplePaySession.canMakePayments()) {
    return { name: "Apple Pay JS", pay: () => payBySession(prepared.request, shop) };
  }
  if (globalThis.PaymentRequest && prepared.merchant_identifier) {
    try {
      const make = () => new PaymentRequest(methods(prepared), details(prepared.request));
      if (await make().canMakePayment()) {
        return { name: "Payment Request", pay: () => payByRequest(make(), shop) };
      }
    } catch {
      return null;
    }
  }
  return null;
}

/** Shows Apple's sheet; must be called while the click is handled. Resolves to whether the buyer went through with it. */
function payBySession(request, shop) {
  return new Promise((done) => {
    const session = new ApplePaySession(version, request);
    session.onvalidatemerchant = async (event) => {
      try {
        session.completeMerchantValidation(await shop.session(event.validationURL));
      } catch (error) {
        session.abort();
        done({ error });
      }
    };
    session.onpaymentauthorized = async (event) => {
      const result = await shop.place(event.payment.token);
      const isDone = result.status === "success";
      session.completePayment({
        status: isDone ? ApplePaySession.STATUS_SUCCESS : ApplePaySession.STATUS_FAILURE,
        errors: (result.errors ?? []).map(sheetError),
      });
      done({ placed: true });
    };
    session.oncancel = () => done({ canceled: true });
    session.begin();
  });
}

function sheetError(error) {
  return globalThis.ApplePayError
    ? new ApplePayError(error.code, error.contactField, error.message)
    : { code: error.code, contactField: error.contactField, message: error.message };
}

function methods(prepared) {
  const { total, multiTokenContexts, currencyCode, ...data } = prepared.request;
  return [
    { supportedMethods: method, data: { version, merchantIdentifier: prepared.merchant_identifier, ...data } },
  ];
}

/** The contexts stand in a modifier here: Apple's request for this interface has no place for them. */
function details(request) {
  const amount = { currency: request.currencyCode, value: request.total.amount };
  const data = { multiTokenContexts: request.multiTokenContexts };
  return {
    total: { label: request.total.label, amount },
    modifiers: request.multiTokenContexts ? [{ supportedMethods: method, data }] : [],
  };
}

async function payByRequest(request, shop) {
  request.onmerchantvalidation = (event) => event.complete(shop.session(event.validationURL));
  let response;
  try {
    response = await request.show();
  } catch (error) {
    return error?.name === "AbortError" ? { canceled: true } : { error };
  }
  const result = await shop.place(response.details.token);
  await response.complete(result.status === "success" ? "success" : "fail");
  return { placed: true };
}
