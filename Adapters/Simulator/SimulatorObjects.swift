import Domain
import StrictJSON

/// An authorization as the simulator shows it.
struct SimulatorAuthorization {
    let id: String
    /// Our reference: the attempt.
    let reference: String
    /// What was asked for, in minor units.
    let amount: Int64
    let currency: String
    private let json: JSON

    /// Reads the object; nil if it is none.
    init?(_ json: JSON) {
        guard json["object"] == "authorization", let id = json["id"]?.stringValue,
            let reference = json["reference"]?.stringValue, let amount = json["amount"]?.integerValue,
            let currency = json["currency"]?.stringValue
        else { return nil }
        self.id = id
        self.reference = reference
        self.amount = amount
        self.currency = currency
        self.json = json
    }

    /// What became of it, by its status.
    var outcome: Outcome {
        switch json["status"]?.stringValue {
        case "authorized", "captured": success
        case "pending": .pending(Progress(reference: id))
        case "requires_action": action
        case "declined": .declined(SimulatorOperation.decline(json))
        case "voided", "canceled": .rejected(SimulatorOperation.ended(.alreadyVoided, json))
        case "expired": .rejected(SimulatorOperation.ended(.expired, json))
        default: .unknown(reason: "unpromised status of an authorization")
        }
    }

    /// What it says of what was stored, once it was approved: whatever became of the amount since.
    var outcomeForStoredMethod: Outcome {
        switch json["status"]?.stringValue {
        case "voided", "expired": .succeeded(success(of: amount, captured: 0))
        default: outcome
        }
    }

    private var success: Outcome {
        guard let authorized = json["authorized_amount"]?.integerValue, authorized > 0, authorized <= amount,
            let captured = json["captured_amount"]?.integerValue, (0...authorized).contains(captured)
        else { return .unknown(reason: "an authorization without amounts") }
        let capturedAtOnce = json["capture_method"] == "automatic"
        return .succeeded(success(of: authorized, captured: capturedAtOnce ? captured : 0))
    }

    private func success(of authorized: Int64, captured: Int64) -> Success {
        Success(
            reference: id,
            amount: authorized,
            capturedAmount: captured,
            expiresAt: Self.moment(json["expires_at"]),
            network: json["payment_method"]?["network"]?.stringValue,
            last4: json["payment_method"]?["last4"]?.stringValue,
            stored: stored,
            networkTransactionIDs: [networkTransactionID].compactMap(\.self)
        )
    }

    /// What the simulator kept for later payments.
    private var stored: StoredMethod? {
        guard let method = json["stored_method"], let id = method["id"]?.stringValue,
            let owner = method["owner"]?.stringValue
        else { return nil }
        return StoredMethod(
            token: Secret(id),
            customer: Secret(owner),
            network: method["network"]?.stringValue,
            last4: method["last4"]?.stringValue,
            expiryMonth: method["expiry_month"]?.integerValue.map { Int($0) },
            expiryYear: method["expiry_year"]?.integerValue.map { Int($0) }
        )
    }

    private var networkTransactionID: NetworkTransactionID? {
        json["network_transaction_id"]?.stringValue.flatMap {
            NetworkTransactionID($0, network: json["payment_method"]?["network"]?.stringValue)
        }
    }

    private var action: Outcome {
        guard let action = json["next_action"], action["type"] == "redirect", let url = action["url"]?.stringValue
        else {
            return .unknown(reason: "unpromised kind of action")
        }
        return .actionRequired(
            NextAction(kind: .redirect, url: url, expiresAt: Self.moment(action["expires_at"])),
            Progress(reference: id)
        )
    }

    /// A moment that the simulator gives in milliseconds.
    static func moment(_ json: JSON?) -> Timestamp? {
        json?.integerValue.map { Timestamp(microseconds: 0).adding(milliseconds: $0) }
    }
}

/// A capture, void or refund as the simulator shows it.
struct SimulatorOperation {
    let id: String
    /// What it is.
    let kind: Notice.Action
    /// The authorization's identifier.
    let authorization: String
    /// The caller's reference: the operation.
    let reference: String
    /// In minor units.
    let amount: Int64
    let currency: String
    /// For a capture: whether what was not taken is released.
    let isFinal: Bool
    private let json: JSON

    /// Reads the object; nil if it is none.
    init?(_ json: JSON) {
        guard json["object"] == "operation", let id = json["id"]?.stringValue,
            let kind = json["kind"]?.stringValue.flatMap(Notice.Action.init(rawValue:)), kind != .authorize,
            let authorization = json["authorization"]?.stringValue, let reference = json["reference"]?.stringValue,
            let amount = json["amount"]?.integerValue, amount >= 0, let currency = json["currency"]?.stringValue
        else { return nil }
        self.id = id
        self.kind = kind
        self.authorization = authorization
        self.reference = reference
        self.amount = amount
        self.currency = currency
        isFinal = json["final"]?.boolValue ?? true
        self.json = json
    }

    /// What became of it, by its status.
    var outcome: Outcome {
        switch json["status"]?.stringValue {
        case "succeeded": success
        case "pending": .pending(Progress(reference: id))
        case "failed": .declined(Self.decline(json))
        case "reversed": .rejected(Self.ended(.alreadyVoided, json))
        case "failed_later": .rejected(failureAfterAll.naming(id))
        default: .unknown(reason: "unpromised status of an operation")
        }
    }

    private var success: Outcome {
        var success = Success(reference: id, amount: amount)
        success.isFinal = kind == .capture ? json["final"]?.boolValue : nil
        return .succeeded(success)
    }

    /// Why a capture or a refund that had succeeded came to nothing.
    var failureAfterAll: Rejection {
        Rejection(.unsupported, code: "failed_later", message: "The \(kind.rawValue) succeeded and failed after all.")
    }

    /// The decline in an object.
    static func decline(_ json: JSON) -> Decline {
        let code = json["decline"]?["code"]?.stringValue ?? ""
        let message = json["decline"]?["message"]?.stringValue ?? ""
        return Decline(code: code, category: category(of: code), message: message)
    }

    /// What is said of an object that has ended.
    static func ended(_ reason: Rejection.Reason, _ json: JSON) -> Rejection {
        Rejection(reason, code: json["status"]?.stringValue ?? "", message: "It has ended already.")
    }

    private static func category(of code: String) -> Decline.Category {
        switch code {
        case "authentication_failed": .authenticationRequired
        case "partial_approval": .generic
        default: Decline.Category(rawValue: code) ?? .generic
        }
    }
}
