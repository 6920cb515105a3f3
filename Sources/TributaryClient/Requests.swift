import StrictJSON
import WireFormats

extension TributaryClient {
    /// An order to place.
    public struct NewOrder: Hashable, Sendable {
        /// When a partial success is acceptable.
        public enum Policy: Hashable, Sendable {
            /// Everything is paid, or nothing.
            case allOrNothing
            /// Whatever can be paid is.
            case bestEffort
            /// These merchants, by external identifier, are paid, or nothing.
            case required([String])
            /// At least this much is paid, in minor units, or nothing.
            case minimum(Int64)
        }

        /// What pays.
        public enum Means: Hashable, Sendable {
            /// A PSP's own token, for the account that it is of.
            case pspToken(String, pspAccount: String)
            /// What Apple Pay handed to the page, as JSON text.
            case applePay(String)
            /// What Google Pay handed to the page: its token, as text.
            case googlePay(String)
        }

        /// A part of a context's amount that is no goods.
        public struct AllocationLine: Hashable, Sendable {
            /// What the buyer pays it for: `tip` or `shipping`.
            public var kind: Word
            /// How much it is, in minor units.
            public var amount: Int64
            /// Who keeps it: `merchant` or `marketplace`.
            public var keptBy: Word

            /// Makes a line.
            public init(_ kind: Word, amount: Int64, keptBy: Word = "merchant") {
                self.kind = kind
                self.amount = amount
                self.keptBy = keptBy
            }
        }

        /// One merchant's part.
        public struct Context: Hashable, Sendable {
            /// The name the merchant is known by.
            public var externalIdentifier: String
            /// Its amount in minor units.
            public var amount: Int64
            /// What pays it; nil where the order's own means does.
            public var payment: Means?
            /// What its merchant calls it.
            public var reference: String?
            /// What of the amount is tip or shipping.
            public var allocation: [AllocationLine] = []
            /// What the buyer reads on the statement; nil for what the merchant's record says.
            public var statementDescriptor: String?

            /// Makes a part.
            public init(
                _ externalIdentifier: String,
                amount: Int64,
                payment: Means? = nil,
                reference: String? = nil
            ) {
                self.externalIdentifier = externalIdentifier
                self.amount = amount
                self.payment = payment
                self.reference = reference
            }
        }

        /// The currency's ISO 4217 code.
        public var currency: String
        /// The whole amount in minor units.
        public var amount: Int64
        /// When a partial success is acceptable.
        public var policy: Policy
        /// A part for each merchant.
        public var contexts: [Context]
        /// What pays all of it, if one means does.
        public var payment: Means?
        /// The payment request that the wallet's sheet was given.
        public var paymentRequest: String?
        /// The marketplace's own reference: no two orders that are not failed or canceled have the same.
        public var reference: String?
        /// Whether what is authorized is captured at once.
        public var capturesAtOnce = true
        /// Where the buyer comes back to behind a step at their bank.
        public var returnURL: String?
        /// What is stored with it.
        public var metadata: [String: String] = [:]

        /// Makes an order whose amount is the sum of its parts.
        public init(currency: String, policy: Policy, contexts: [Context]) {
            self.currency = currency
            self.policy = policy
            self.contexts = contexts
            amount = contexts.reduce(0) { $0 &+ $1.amount }
        }
    }

    /// A payment that something is asked of.
    public struct Item: Hashable, Sendable {
        /// The payment's id.
        public var payment: String
        /// How much of it, in minor units; nil for all.
        public var amount: Int64?

        /// Makes an item.
        public init(payment: String, amount: Int64? = nil) {
            self.payment = payment
            self.amount = amount
        }
    }

    /// Which payments of an order are meant.
    public enum Parts<Part: Hashable & Sendable>: Hashable, Sendable {
        /// All of them.
        case all
        /// These, at least one: a call that names none is not sent (``Failure/nothingNamed``).
        case only([Part])
    }

    /// How much is given back of which payments.
    public enum RefundShare: Hashable, Sendable {
        /// All that is left.
        case all
        /// An amount, in minor units, of an order of one payment.
        case amount(Int64)
        /// An amount, in minor units, of each payment its share.
        case proportional(Int64)
        /// Amounts of payments, at least one.
        case items([Item])
    }

    /// Which orders a list has.
    public struct OrderFilter: Hashable, Sendable {
        /// The marketplace's own reference.
        public var reference: String?
        /// The status.
        public var status: Word?
        /// Placed after this time (RFC 3339).
        public var createdAfter: String?
        /// Behind the order with this id: the last of the page before.
        public var startingAfter: String?
        /// How many at most.
        public var limit: Int?

        /// Makes a filter that every order passes.
        public init() {}

        var query: String {
            let parts = [
                ("reference", reference), ("status", status?.rawValue), ("created_after", createdAfter),
                ("starting_after", startingAfter), ("limit", limit.map(String.init)),
            ]
            let said = parts.compactMap { name, value in value.map { name + "=" + ClientWire.escaped($0) } }
            return said.isEmpty ? "" : "?" + said.joined(separator: "&")
        }
    }
}

// MARK: Writing

extension TributaryClient.NewOrder {
    var json: JSON {
        .object(omittingAbsent: [
            "reference": reference.map(JSON.string), "currency": .string(currency), "amount": .integer(amount),
            "residual": contexts.reduce(0) { $0 &+ $1.amount } < amount ? "uncharged" : nil,
            "policy": policy.json, "capture": capturesAtOnce ? nil : "manual",
            "return_url": returnURL.map(JSON.string), "payment": payment?.json,
            "payment_request": paymentRequest.map(JSON.string), "contexts": .array(contexts.map(\.json)),
            "metadata": metadata.isEmpty
                ? nil
                : .object(metadata.sorted { $0.key < $1.key }.map { JSON.Member($0.key, .string($0.value)) }),
        ])
    }
}

extension TributaryClient.NewOrder.Policy {
    fileprivate var json: JSON {
        switch self {
        case .allOrNothing: ["type": "all_or_nothing"]
        case .bestEffort: ["type": "best_effort"]
        case .required(let names): ["type": "required", "external_identifiers": .strings(names)]
        case .minimum(let amount): ["type": "minimum", "amount": .integer(amount)]
        }
    }
}

extension TributaryClient.NewOrder.Means {
    fileprivate var json: JSON {
        switch self {
        case .pspToken(let token, let account):
            ["type": "psp_token", "token": .string(token), "psp_account": .string(account)]
        // What is no JSON is for the server to refuse.
        case .applePay(let text): ["type": "apple_pay", "token": (try? JSON.parse(text: text)) ?? .string(text)]
        case .googlePay(let text): ["type": "google_pay", "token": .string(text)]
        }
    }
}

extension TributaryClient.NewOrder.Context {
    fileprivate var json: JSON {
        .object(omittingAbsent: [
            "external_identifier": .string(externalIdentifier), "amount": .integer(amount), "payment": payment?.json,
            "reference": reference.map(JSON.string),
            "allocation": allocation.isEmpty ? nil : .array(allocation.map(\.json)),
            "statement_descriptor": statementDescriptor.map(JSON.string),
        ])
    }
}

extension TributaryClient.NewOrder.AllocationLine {
    fileprivate var json: JSON {
        ["kind": .string(kind.rawValue), "amount": .integer(amount), "kept_by": .string(keptBy.rawValue)]
    }
}

extension TributaryClient.Item {
    var json: JSON {
        .object(omittingAbsent: ["payment": .string(payment), "amount": amount.map(JSON.integer)])
    }
}

extension TributaryClient.RefundShare {
    var members: [JSON.Member] {
        switch self {
        case .all: []
        case .amount(let amount): [.init("amount", .integer(amount))]
        case .proportional(let amount): [.init("amount", .integer(amount)), .init("allocate", "proportional")]
        case .items(let items): [.init("items", .array(items.map(\.json)))]
        }
    }
}
