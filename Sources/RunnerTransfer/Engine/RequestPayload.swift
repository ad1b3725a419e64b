import LibCurl
import RunnerJob

/// A request's body with its files open, ready to be sent.
enum RequestPayload {
    case none
    case text(String)
    case file(FileBody)
    case form(EasyForm)

    /// - Throws: class `input` when a file cannot be read.
    init(_ body: WireRequest.Body) throws(Fault) {
        switch body {
        case .none: self = .none
        case .text(let text): self = .text(text)
        case .file(let path): self = .file(try FileBody(path: path))
        case .form(let form): self = .form(EasyForm(parts: try form.fields.map(Self.part)))
        }
    }

    private static func part(_ field: FormBody.Field) throws(Fault) -> EasyForm.Part {
        let content: EasyForm.Part.Content
        switch field.content {
        case .text(let text): content = .text(Array(text.utf8))
        case .file(let path):
            let file = try FileBody(path: path)
            content = .stream(file, length: file.length)
        }
        return EasyForm.Part(
            name: field.name, fileName: field.fileName, contentType: field.contentType,
            headers: field.headers.map { "\($0.name): \($0.value)" }, content: content)
    }
}
