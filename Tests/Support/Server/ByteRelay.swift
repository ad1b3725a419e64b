import Glibc

/// What stands between a client and a server passes bytes on in this way.
enum ByteRelay {
    /// Passes bytes on until one side has ended, or so many have passed; whether it was the latter.
    @discardableResult
    static func pass(from: Int32, to: Int32, budget: Int = .max) -> Bool {
        let (source, target) = (PlainChannel(from), PlainChannel(to))
        var rest = budget
        while rest > 0 {
            let bytes = source.read(min(rest, 16 << 10))
            guard !bytes.isEmpty, target.write(bytes[...]) else {
                shutdown(to, Int32(SHUT_WR))
                return false
            }
            rest -= bytes.count
        }
        return true
    }

    /// A connection to a port on 127.0.0.1; nil where there is none.
    static func connect(to port: Int) -> Int32? {
        let descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else {
            close(descriptor)
            return nil
        }
        return descriptor
    }
}
