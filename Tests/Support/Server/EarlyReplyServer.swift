internal import CLibSSL
import Glibc

/// Answers one client before it has asked: under TLS 1.2 the reply comes in one piece with the end of the handshake.
package final class EarlyReplyServer: Sendable {
    package let port: Int
    private let socket: ListeningSocket
    private let writer: NativeThread

    /// - Parameter reply: sent as it is; the connection stays open behind it until the client goes, which it is to.
    package init(_ reply: String) throws(SystemFailure) {
        let context = try TLSContext(.valid, negotiation: .http11)
        // A macro of OpenSSL's, which Swift does not see: SSL_CTX_set_max_proto_version(3).
        guard SSL_CTX_ctrl(context.context, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(TLS1_2_VERSION), nil) == 1 else {
            throw SystemFailure("SSL_CTX_ctrl", code: 0)
        }
        let socket = try ListeningSocket(ipv6: false)
        (self.socket, port) = (socket, socket.port)
        writer = try NativeThread {
            guard let descriptor = socket.accept() else { return }
            // What is written is held back until there is as much as a segment takes (tcp(7)).
            Self.setCorked(true, descriptor)
            guard let channel = TLSChannel(descriptor, context) else {
                close(descriptor)
                return
            }
            defer { channel.dispose() }
            _ = channel.write(Array(reply.utf8)[...])
            Self.setCorked(false, descriptor)
            while !channel.read(1 << 10).isEmpty {}
        }
    }

    deinit {
        shutdown(socket.descriptor, Int32(SHUT_RDWR))
        writer.join()
        close(socket.descriptor)
    }

    private static func setCorked(_ isCorked: Bool, _ descriptor: Int32) {
        var value: Int32 = isCorked ? 1 : 0
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_CORK, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}
