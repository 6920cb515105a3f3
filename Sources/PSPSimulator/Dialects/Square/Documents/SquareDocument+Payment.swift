import StrictJSON

/// Payments.
extension SquareDocument {
    /// A payment; `time` is when it changed last, if that is known.
    func payment(_ authorization: Authorization, at time: Int64? = nil) -> JSON {
        let command = authorization.command
        let status = Self.status(authorization)
        let name = SquareName.payment(authorization.id)
        let total = total(of: authorization)
        let tip = tip(of: authorization)
        let refunds = authorization.operations.filter { $0.kind == .refund }
        func money(_ amount: Int64) -> JSON { SquareMoney(amount: amount, currency: command.currency).json }
        func detail(_ name: String) -> JSON? { command.details[name].map(JSON.string) }
        return .object(omittingAbsent: [
            "id": .string(name),
            "created_at": .string(SquareTime.text(authorization.createdAt)),
            "updated_at": .string(SquareTime.text(time ?? updatedAt(authorization))),
            "amount_money": money(max(0, total - (tip ?? 0))),
            "tip_money": tip.map(money),
            "total_money": money(total),
            "app_fee_money": fee(of: authorization).map(money),
            "approved_money": authorization.authorized > 0 ? money(authorization.authorized) : .none,
            "refunded_money": authorization.refunded > 0 ? money(authorization.refunded) : .none,
            "status": .string(status),
            "delay_duration": detail("delay_duration") ?? "PT168H",
            "delay_action": "CANCEL",
            "delayed_until": .string(
                SquareTime.text(authorization.expiresAt ?? authorization.createdAt + Authorization.lifeMilliseconds)
            ),
            "source_type": "CARD",
            "card_details": card(authorization, status),
            "location_id": .string(Self.location(authorization)),
            "order_id": detail("order_id"),
            "reference_id": detail("reference_id"),
            "customer_id": detail("customer_id"),
            "team_member_id": detail("team_member_id"),
            "refund_ids": refunds.isEmpty ? .none : .strings(refunds.map { SquareName.refund($0.id) }),
            "buyer_email_address": detail("buyer_email_address"),
            "note": detail("note"),
            "statement_description_identifier": detail("statement_description_identifier"),
            "capabilities": status == "APPROVED" ? capabilities(authorization, total) : .none,
            "receipt_number": status == "CANCELED" ? .none : .string(String(name.prefix(4))),
            "receipt_url": status == "COMPLETED"
                ? .string("https://squareupsandbox.com/receipt/preview/\(name)") : .none,
            "application_details": ["square_product": "ECOMMERCE_API", "application_id": "sandbox-sq0idb-simulator"],
            "version_token": .string(version(of: authorization)),
        ])
    }

    /// An amount can be raised again to what was approved.
    private func capabilities(_ authorization: Authorization, _ total: Int64) -> JSON {
        let isLower = total < authorization.authorized
        return .strings(
            ["EDIT_AMOUNT_DOWN", "EDIT_TIP_AMOUNT_DOWN"] + (isLower ? ["EDIT_AMOUNT_UP", "EDIT_TIP_AMOUNT_UP"] : [])
        )
    }

    private func card(_ authorization: Authorization, _ status: String) -> JSON {
        let method = authorization.command.method
        let errors = authorization.decline.map { SquareError.errors($0, authorization.command.details) } ?? []
        let codes = errors.compactMap { $0["code"]?.stringValue }
        return .object(omittingAbsent: [
            "status": Self.cardStatus[status].map(JSON.string),
            "card": [
                "card_brand": .string(Self.brand(authorization)), "last_4": .string(method.last4), "exp_month": 12,
                "exp_year": 2031, "fingerprint": "sq-1-simulator", "card_type": "CREDIT",
                "prepaid_type": "NOT_PREPAID", "bin": "424242",
            ],
            "entry_method": authorization.command.details["customer_id"] == nil ? "KEYED" : "ON_FILE",
            "cvv_status": codes.contains("CVV_FAILURE") ? "CVV_REJECTED" : "CVV_ACCEPTED",
            "avs_status": codes.contains("ADDRESS_VERIFICATION_FAILURE") ? "AVS_REJECTED" : "AVS_ACCEPTED",
            "auth_result_code": authorization.authorized > 0 ? "68aLBM" : .none,
            "statement_description": "SQ *SIMULATOR",
            "card_payment_timeline": timeline(authorization),
            "errors": errors.isEmpty ? .none : .array(errors),
        ])
    }

    private func timeline(_ authorization: Authorization) -> JSON {
        let isOver = [.voided, .expired].contains(authorization.status)
        return .object(omittingAbsent: [
            "authorized_at": authorization.authorized > 0
                ? .string(SquareTime.text(authorization.createdAt)) : .none,
            "captured_at": authorization.capturedAt.map { .string(SquareTime.text($0)) },
            "voided_at": isOver ? .string(SquareTime.text(updatedAt(authorization))) : .none,
        ])
    }

    private static let cardStatus = [
        "APPROVED": "AUTHORIZED", "COMPLETED": "CAPTURED", "CANCELED": "VOIDED", "FAILED": "FAILED",
    ]
}
