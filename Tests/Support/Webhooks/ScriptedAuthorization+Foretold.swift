extension ScriptedAuthorization {
    /// The first one in the books of a PSP, as it will be once somebody asks for it.
    package static func foretold(amount: Int64, currency: String = "USD") -> ScriptedAuthorization {
        ScriptedAuthorization(
            id: "auth_1",
            reference: "",
            token: "",
            amount: amount,
            currency: currency,
            status: "authorized",
            madeAt: 0,
            authorized: amount
        )
    }
}
