internal import CLibSSL
import Glibc

/// What a sandbox keeps a thread from doing.
package enum Sandbox {
    /// Has splice(2) fail with this error on the calling thread, for as long as that lives.
    package static func refuseSplicing(with code: Int32) throws(SystemFailure) {
        guard runner_refuse_splice(code) == 0 else { throw SystemFailure("seccomp") }
    }

    /// Has open(2) refuse files without a name on the calling thread, for as long as that lives.
    package static func refuseNamelessFiles() throws(SystemFailure) {
        guard runner_refuse_nameless() == 0 else { throw SystemFailure("seccomp") }
    }

    /// Has linkat(2) refuse descriptors without a path on the calling thread, for as long as that lives.
    package static func refuseLinkingByDescriptor() throws(SystemFailure) {
        guard runner_refuse_empty_path() == 0 else { throw SystemFailure("seccomp") }
    }
}
