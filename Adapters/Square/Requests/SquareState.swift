import StrictJSON

/// What an attempt keeps of its payment for later operations.
struct SquareState: Hashable {
    /// What the payment is over, in minor units.
    var amount: Int64
    /// What the marketplace keeps of it, in minor units; 0 for nothing.
    var fee: Int64
    /// Names the version of the payment that this is about.
    var version: String?

    /// Makes a state.
    init(amount: Int64, fee: Int64, version: String?) {
        self.amount = amount
        self.fee = fee
        self.version = version
    }

    /// Reads what ``text`` wrote; nil if it is nothing of the kind.
    init?(text: String) {
        guard let json = try? JSON.parse(text: text), let amount = json["amount"]?.integerValue,
            let fee = json["fee"]?.integerValue
        else { return nil }
        self.init(amount: amount, fee: fee, version: json["version"]?.stringValue)
    }

    /// The state as the attempt keeps it.
    var text: String {
        JSON.object(omittingAbsent: [
            "amount": .integer(amount), "fee": .integer(fee), "version": version.map(JSON.string),
        ]).text
    }
}
