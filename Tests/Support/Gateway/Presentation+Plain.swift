import Domain
package import Gateway
import StrictJSON

extension Presentation {
    /// Answers with the order's name and status, and shows no more of orders and payments than that.
    package static var plain: Presentation {
        Presentation(
            answer: { Array("\($0.id) \($0.status.rawValue)".utf8) },
            order: { ["id": .string($0.id.text), "status": .string($0.status.rawValue)] },
            payment: { payment, _ in ["id": .string(payment.id.text), "status": .string(payment.state.rawValue)] }
        )
    }
}
