import Domain
package import Gateway
import HTTPAPI
import StrictJSON

extension Presentation {
    /// Answers with the order's name and status; callbacks show what the API shows.
    package static var plain: Presentation {
        var presentation = OrderPresenter.presentation
        presentation.answer = { Array("\($0.id) \($0.status.rawValue)".utf8) }
        return presentation
    }
}
