import Domain
import Testing
import WalletOrders

/// Orders as they come out of the machine, and what Wallet is told of them.
enum TestOrder {
    /// 2026-03-01T12:00:00Z.
    static let placedAt = Timestamp(seconds: 1_772_366_400)
    /// The identifiers of three payments.
    static let payments: [PaymentID] = {
        var ids = IdentifierSource()
        return (0..<3).map { _ in ids.make(at: placedAt) }
    }()
    /// What buyers know their submerchants by.
    static let names = Dictionary(uniqueKeysWithValues: zip(payments, ["Skyways", "Grand Hotel", "Open Road"]))

    /// How far a payment got.
    enum Fate: Hashable, Sendable {
        case open
        case actionRequired
        case authorized
        case declined
        case notSent
        case capturing
        case captured(Int64)
        case partlyCaptured(Int64)
        case captureFailed
        case voided
        case voiding
    }

    /// A payment of 100.00 that got so far, and gave back these amounts.
    static func payment(_ index: Int, _ fate: Fate, refunds: [Int64] = []) -> Payment {
        var ids = IdentifierSource()
        func operation(
            _ kind: Operation.Kind,
            _ amount: Int64,
            _ state: OperationState,
            isFinal: Bool = true
        ) -> Operation {
            var operation = Operation(
                id: ids.make(at: placedAt),
                kind: kind,
                amount: amount,
                origin: .gateway,
                createdAt: placedAt.adding(milliseconds: 60_000),
                isFinal: isFinal
            )
            operation.state = state
            if state == .succeeded { operation.doneAmount = amount }
            return operation
        }
        let declined = OperationState.declined(Decline(code: "05", category: .generic, message: "No."))
        let rejected = OperationState.rejected(Rejection(.unsupported, code: "no", message: "No."))
        let action = OperationState.actionRequired(
            NextAction(kind: .redirect, url: "https://psp.example", expiresAt: nil)
        )
        let authorization: OperationState =
            switch fate {
            case .open: .pending
            case .actionRequired: action
            case .declined: declined
            case .notSent: .notSent(reason: "no connection")
            default: .succeeded
            }
        var operations = [operation(.authorize, 10_000, authorization)]
        switch fate {
        case .capturing: operations.append(operation(.capture, 10_000, .pending))
        case .captured(let amount): operations.append(operation(.capture, amount, .succeeded))
        case .partlyCaptured(let amount): operations.append(operation(.capture, amount, .succeeded, isFinal: false))
        case .captureFailed: operations.append(operation(.capture, 10_000, rejected))
        case .voided: operations.append(operation(.void, 10_000, .succeeded))
        case .voiding: operations.append(operation(.void, 10_000, .pending))
        default: break
        }
        operations += refunds.map { operation(.refund, $0, .succeeded) }
        return Payment(
            id: payments[index],
            merchant: ids.make(at: placedAt),
            externalIdentifier: "merchant-\(index)",
            amount: 10_000,
            reference: nil,
            metadata: [],
            allocation: [],
            attempts: [
                Attempt(
                    id: ids.make(at: placedAt),
                    route: RouteSnapshot(psp: "simulator", pspAccount: "alpha"),
                    operations: operations
                )
            ]
        )
    }

    /// An order of these payments, decided like this; it counts on those that hold or took something.
    static func order(
        _ decision: Decision.State,
        _ payments: [Payment],
        countsOn: [Int]? = nil,
        currency: String = "EUR"
    ) throws -> Order {
        var ids = IdentifierSource()
        var order = Order(
            id: ids.make(at: placedAt),
            marketplace: "travel",
            reference: "cart-1",
            amount: try Money(minorUnits: 10_000 * Int64(payments.count), currency: #require(Currency(code: currency))),
            metadata: [],
            createdAt: placedAt,
            terms: OrderTerms(
                policy: .bestEffort,
                capture: .automatic,
                onDeadline: .abandon,
                onCaptureFailure: .attention,
                deadlineAt: placedAt,
                decideBy: placedAt,
                wallet: .applePay
            ),
            payments: payments
        )
        let counted = countsOn.map { $0.map { payments[$0].id } } ?? payments.map(\.id)
        order.decision = Decision(state: decision, reason: nil, at: placedAt, countsOn: Set(counted))
        return order
    }

    /// What a marketplace says of itself.
    static let texts = WalletOrderTexts(
        displayName: "Travel Now",
        url: "https://travel.example",
        orderManagementURL: "https://travel.example/orders/1",
        webServiceURL: "https://travel.example/wallet/",
        orderTypeIdentifier: "order.com.example.travel",
        merchantIdentifier: "merchant.com.example.travel",
        logo: "logo.png"
    )

    /// The token of every order here.
    static let token = Secret("0123456789abcdef0123456789abcdef")

    /// What Wallet is told of an order.
    static func input(
        _ order: Order,
        of payment: PaymentID? = nil,
        content: WalletOrderInput.Content = WalletOrderInput.Content(paymentMethod: "Visa 1234"),
        texts: WalletOrderTexts = texts
    ) -> WalletOrderInput {
        WalletOrderInput(
            order: order,
            of: payment,
            merchantNames: names,
            content: content,
            issue: .init(
                orderIdentifier: "order-1",
                authenticationToken: token,
                updatedAt: placedAt.adding(milliseconds: 90_000)
            ),
            texts: texts
        )
    }

    /// A paid order with everything that can be told of one.
    static func full() throws -> WalletOrderInput {
        let order = try order(
            .accepted,
            [payment(0, .captured(10_000)), payment(1, .captured(10_000), refunds: [2500])]
        )
        let item = WalletLineItem(
            payment: payments[0],
            title: "Suitcase",
            quantity: 2,
            price: 5000,
            image: "suitcase.png",
            gtin: "04012345678901",
            sku: "S-1"
        )
        let address = WalletAddress(
            lines: ["Hauptstraße 1"],
            locality: "Berlin",
            postalCode: "10115",
            countryCode: "DE"
        )
        let content = WalletOrderInput.Content(
            orderNumber: "10293",
            lineItems: [item],
            fulfillments: [
                WalletFulfillment(
                    externalIdentifier: "ship-1",
                    payment: payments[0],
                    details: .shipping(
                        WalletShipping(
                            status: .onTheWay,
                            carrier: "Post",
                            trackingNumber: "T1",
                            trackingURL: "https://post.example/T1",
                            shippedAt: placedAt.adding(milliseconds: 1500),
                            estimatedDeliveryAt: placedAt.adding(milliseconds: 86_400_000),
                            estimatedDeliveryWindow: "P1D",
                            recipient: .init(givenName: "Ada", address: address)
                        )
                    ),
                    lineItems: [item]
                ),
                WalletFulfillment(
                    externalIdentifier: "pick-1",
                    payment: payments[1],
                    details: .pickup(
                        WalletPickup(
                            status: .readyForPickup,
                            address: address,
                            location: WalletLocation(latitude: 52_520_008, longitude: -13_404),
                            barcode: WalletBarcode(format: .qr, message: "P-1"),
                            pickupAt: placedAt,
                            pickupWindow: "PT30M"
                        )
                    ),
                    notes: "PICKUP_NOTES"
                ),
            ],
            returns: [
                WalletReturn(externalIdentifier: "return-1", payment: payments[1], status: .open, initiatedAt: placedAt)
            ],
            customer: WalletCustomer(givenName: "Ada", emailAddress: "ada@example.com"),
            paymentMethod: "Visa 1234",
            applePayTransactionIdentifier: String(repeating: "a", count: 64)
        )
        var texts = texts
        texts.localisations = [
            "en": ["PICKUP_NOTES": "Bring your passport."], "de": ["PICKUP_NOTES": "Bringen Sie Ihren \"Paß\"\nmit."],
        ]
        return input(order, content: content, texts: texts)
    }
}
