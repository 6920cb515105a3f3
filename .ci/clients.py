"""Generates clients from a server's own description, uses them, and tries the server with whatever it allows.

1. openapi-python-client and datamodel-code-generator make a client and models without a warning, and without a class
   whose name ends in a number, which is how they say that something has no name.
2. With the client, orders are placed, listed, captured and refunded, paid with every kind of instrument under every kind
   of policy. Each answer is read by the models too, and once more with members that nobody knows yet.
3. schemathesis sends what the description allows and what it does not: no 5xx, no status and no content type that is not
   documented, every answer as its schema says.
"""

import argparse
import importlib
import json
import os
import re
import subprocess
import sys
import urllib.request
import uuid
from pathlib import Path

CHECKS = [
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
]
# Members whose value is a map, or somebody else's document, in which every member has a meaning.
MAPS = {"balance", "details", "direct", "fixed", "maximum", "metadata", "minimum", "request"}


def main() -> None:
    """Runs the three steps; exits 1 at the first thing that is wrong."""
    arguments = read_arguments()
    work = Path(arguments.work)
    document = fetch(arguments.url + "/openapi.json")
    (work / "openapi.json").write_text(json.dumps(document))
    generate_client(work)
    generate_models(work)
    sys.path.insert(0, str(work))
    Story(arguments, document).run()
    fuzz(arguments, work)
    print("clients: fine")


def read_arguments() -> argparse.Namespace:
    """The arguments; the key is in the environment, where no list of processes shows it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--url", required=True)
    parser.add_argument("--psp-account", required=True)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--work", required=True)
    arguments = parser.parse_args()
    arguments.key = os.environ["TRIBUTARY_API_KEY"]
    return arguments


def fail(message: str) -> None:
    """Ends the run."""
    print(f"clients: {message}", file=sys.stderr)
    sys.exit(1)


def expect(holds: bool, message: str) -> None:
    """Ends the run unless something holds."""
    if not holds:
        fail(message)


def fetch(url: str) -> dict:
    """A JSON document that is there for everybody."""
    with urllib.request.urlopen(url) as answer:
        return json.load(answer)


def tool(*command: str) -> str:
    """What a tool says, if it succeeds."""
    done = subprocess.run(command, capture_output=True, text=True)
    said = done.stdout + done.stderr
    expect(done.returncode == 0, f"{command[0]} failed:\n{said}")
    return said


def numbered(names: list[str]) -> list[str]:
    """Names that end in a number, but for those of things that do (last4, apple's v1)."""
    return [name for name in names if re.search(r"(Type)?\d+$", name)]


def generate_client(work: Path) -> None:
    """Makes the package `tributary_client`."""
    package = work / "tributary_client"
    # The generator has a fixed list of types; packages for Wallet are bytes to it. Only Apple's devices fetch them.
    config = work / "generator.yaml"
    config.write_text("content_type_overrides: { application/vnd.apple.finance.order: application/octet-stream }\n")
    said = tool(
        "openapi-python-client", "generate", "--path", str(work / "openapi.json"), "--meta", "none",
        "--config", str(config), "--output-path", str(package),
    )
    expect("WARNING" not in said and "Unable" not in said, f"openapi-python-client leaves something out:\n{said}")
    classes = re.findall(r"^class (\w+)", "\n".join(p.read_text() for p in package.glob("models/*.py")), re.MULTILINE)
    expect(len(classes) > 50, "openapi-python-client made no classes")
    expect(not numbered(classes), f"openapi-python-client numbers {numbered(classes)}")


def generate_models(work: Path) -> None:
    """Makes the module `tributary_models`."""
    target = work / "tributary_models.py"
    tool(
        "datamodel-codegen", "--input", str(work / "openapi.json"), "--input-file-type", "openapi",
        "--output-model-type", "pydantic_v2.BaseModel", "--formatters", "builtin", "--output", str(target),
    )
    classes = re.findall(r"^class (\w+)", target.read_text(), re.MULTILINE)
    expect(len(classes) > 50, "datamodel-code-generator made no classes")
    expect(not numbered(classes), f"datamodel-code-generator numbers {numbered(classes)}")


def with_news(value: object) -> object:
    """A JSON value with a member more in every object that has fixed members."""
    if isinstance(value, list):
        return [with_news(element) for element in value]
    if isinstance(value, dict):
        return {key: value[key] if key in MAPS else with_news(value[key]) for key in value} | {"x_new": "x"}
    return value


class Story:
    """What a shop does with the generated client."""

    def __init__(self, arguments: argparse.Namespace, document: dict) -> None:
        self.client = importlib.import_module("tributary_client")
        self.models = importlib.import_module("tributary_client.models")
        self.parsers = importlib.import_module("tributary_models")
        self.account = arguments.psp_account
        self.document = document
        self.api = self.client.AuthenticatedClient(base_url=arguments.url, token=arguments.key, timeout=60)

    def run(self) -> None:
        """Everything, in the order in which a shop would do it."""
        self.buy_under_every_policy()
        self.capture_in_part()
        self.refund()
        self.pay_with_every_instrument()
        self.read_problems()
        self.read_callbacks()
        self.list_everything()

    def call(self, tag: str, operation: str, status: int, model: str, *arguments: object, **named: object) -> object:
        """An answer of an operation, which the models read too, with members that they do not know as well."""
        module = importlib.import_module(f"tributary_client.api.{tag}.{operation}")
        answer = module.sync_detailed(*arguments, client=self.api, **named)
        expect(answer.status_code == status, f"{operation} answers {answer.status_code}: {answer.content!r}")
        parser = getattr(self.parsers, model)
        known = parser.model_validate_json(answer.content)
        newer = with_news(json.loads(answer.content))
        expect(parser.model_validate(newer) == known, f"{model} knows no new members")
        type(answer.parsed).from_dict(newer)
        expect(type(answer.parsed).__name__ == model, f"{operation} is no {model}")
        return answer.parsed

    def order(self, instrument: object, status: int = 201, answer: str = "Order", **members: object) -> object:
        """An order of one merchant."""
        models = self.models
        context = models.NewContext(external_identifier="airline-1", amount=1250, payment=instrument)
        defaults = {"currency": "USD", "amount": 1250, "policy": self.policy("AllOrNothing", "all_or_nothing")}
        body = models.NewOrder(contexts=[context], **(defaults | members))
        return self.call("orders", "place_order", status, answer, body=body, idempotency_key=str(uuid.uuid4()))

    def policy(self, name: str, word: str, **members: object) -> object:
        """A policy."""
        return getattr(self.models, f"New{name}Policy")(type_=word, **members)

    def token(self) -> object:
        """A token of the simulator that is approved."""
        return self.models.PSPTokenInstrument(type_="psp_token", token="tok_approve", psp_account=self.account)

    def buy_under_every_policy(self) -> None:
        """Orders that are paid at once; each reads as it was answered."""
        policies = [
            self.policy("AllOrNothing", "all_or_nothing"), self.policy("BestEffort", "best_effort"),
            self.policy("Required", "required", external_identifiers=["airline-1"]),
            self.policy("Minimum", "minimum", amount=1000),
        ]
        for policy in policies:
            placed = self.order(self.token(), policy=policy)
            expect((placed.status, placed.decision) == ("paid", "accepted"), f"the order is {placed.status}")
            expect(placed.policy.to_dict()["type"] == policy.type_, f"the policy is {placed.policy}")
            shown = self.call("orders", "show_order", 200, "Order", placed.id)
            expect(shown.payments[0].captured_amount == 1250, "the payment is not captured")
            self.call("orders", "show_payment", 200, "Payment", placed.payments[0].id)

    def capture_in_part(self) -> None:
        """A hold, of which a part is taken."""
        held = self.order(self.token(), capture=self.models.CaptureMode("manual"))
        expect(held.status == "authorized", f"the order is {held.status}")
        item = self.models.NewCaptureItem(payment=held.payments[0].id, amount=1000)
        body = self.models.NewCapture(items=[item])
        taken = self.call("orders", "capture_order", 200, "Order", held.id, body=body, idempotency_key=str(uuid.uuid4()))
        expect(taken.captured_amount == 1000, f"{taken.captured_amount} is captured")
        self.call("orders", "list_events", 200, "EventPage", held.id)

    def refund(self) -> None:
        """A sale, of which a part is given back and then the rest."""
        sale = self.order(self.token())
        item = self.models.NewRefundItem(payment=sale.payments[0].id, amount=250)
        bodies = [self.models.NewRefund(items=[item], reason="rain"), self.models.NewRefund()]
        for body, amount in zip(bodies, [250, 1000], strict=True):
            made = self.call(
                "orders", "refund_order", 201, "Refund", sale.id, body=body, idempotency_key=str(uuid.uuid4())
            )
            expect((made.status, made.amount) == ("succeeded", amount), f"the refund is {made.status}")
            self.call("orders", "show_refund", 200, "Refund", made.id)
        shown = self.call("orders", "show_order", 200, "Order", sale.id)
        expect(shown.status == "refunded", f"the order is {shown.status}")

    def pay_with_every_instrument(self) -> None:
        """A network token pays; wallet tokens that are none are refused as such, not as malformed requests."""
        models = self.models
        paid = self.order(
            models.NetworkTokenInstrument(
                type_="network_token", number="4242424242424242", expiry_month=12, expiry_year=2031,
                cryptogram="AAAAAAAAAAAAAAAAAAAAAAAAAAA=", eci="05",
            )
        )
        expect(paid.payments[0].last4 == "4242", "the card is another")
        apple = models.ApplePayToken.from_dict({"paymentData": {"version": "EC_v1"}})
        google = models.GooglePayTokenObject.from_dict({"protocolVersion": "ECv2"})
        wallets = [
            models.ApplePayInstrument(type_="apple_pay", token=apple),
            models.GooglePayInstrument(type_="google_pay", token=google),
            models.GooglePayInstrument(type_="google_pay", token="{}"),
        ]
        for wallet in wallets:
            problem = self.order(wallet, status=422, answer="Problem")
            places = [violation.pointer for violation in problem.errors]
            expect(any(place.startswith("/contexts/0/payment") for place in places), f"{wallet} is refused at {places}")

    def read_problems(self) -> None:
        """What is refused says so in one form."""
        self.call("orders", "show_order", 404, "Problem", "ord_" + "0" * 26)
        problem = self.order(self.token(), status=422, answer="Problem", amount=1000)
        expect(problem.errors[0].code == problem.code, "one violation lends its code to the problem")

    def read_callbacks(self) -> None:
        """The union of callbacks knows every type that there is."""
        told = self.document["webhooks"]
        mapping = self.document["components"]["schemas"]["Callback"]["discriminator"]["mapping"]
        expect(set(told) == set(mapping), "the union of callbacks is another list than the webhooks")
        body = {"type": "endpoint.test", "timestamp": "2027-01-15T08:00:00.000Z", "sequence": 1}
        body |= {"data": {"endpoint": "cbe_" + "0" * 26}}
        parsed = self.parsers.Callback.model_validate(body).root
        expect(type(parsed).__name__ == "TestCallback", f"a test is a {type(parsed).__name__}")

    def list_everything(self) -> None:
        """Lists and what there is besides orders."""
        page = self.call("orders", "list_orders", 200, "OrderPage", limit=100)
        expect(len(page.data) >= 7, f"{len(page.data)} orders are listed")
        self.call("merchants", "list_merchants", 200, "MerchantPage")
        merchant = self.call("merchants", "show_merchant", 200, "Merchant", "airline-1")
        self.call("merchants", "show_statement", 200, "Statement", merchant.id, currency="USD")
        request = self.models.NewPaymentRequest(currency="USD", amount=1250, country="US")
        self.call("payment_requests", "store_payment_request", 201, "PaymentRequest", body=request)


def fuzz(arguments: argparse.Namespace, work: Path) -> None:
    """Sends whatever the description allows, and what it does not, for a bounded time."""
    if arguments.seconds == 0:
        return
    done = subprocess.run(
        [
            "schemathesis", "run", str(work / "openapi.json"), "--url", arguments.url, "--checks", ",".join(CHECKS),
            "--header", f"Authorization: Bearer {arguments.key}", "--max-time", str(arguments.seconds),
            # A long poll answers after as long as it is told to, up to a minute, and would take all of the time.
            "--exclude-path-regex", "/wait$", "--request-timeout", "30", "--seed", "1",
            "--workers", "1", "--continue-on-failure", "--warnings", "off", "--no-color",
            "--suppress-health-check", "all", "--generation-database", "none",
        ],
        cwd=work,
        timeout=arguments.seconds * 3 + 120,
    )
    expect(done.returncode == 0, "schemathesis found something")


main()
