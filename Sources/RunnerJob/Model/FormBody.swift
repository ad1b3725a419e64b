/// A body of type `multipart/form-data` (RFC 7578): fields and files, in order.
public struct FormBody: Hashable, Sendable {
    /// One field.
    public struct Field: Hashable, Sendable {
        public enum Content: Hashable, Sendable {
            case text(String)
            /// Absolute path; read while it is sent.
            case file(path: String)
        }

        public var name: String
        public var content: Content
        /// Name that the server is told of a file.
        public var fileName: String?
        public var contentType: String?
        /// Further header fields of the part.
        public var headers: [HeaderField]

        public init(
            name: String, content: Content, fileName: String? = nil, contentType: String? = nil,
            headers: [HeaderField] = []
        ) {
            self.name = name
            self.content = content
            self.fileName = fileName
            self.contentType = contentType
            self.headers = headers
        }
    }

    public var fields: [Field]

    public init(fields: [Field]) {
        self.fields = fields
    }
}
