// Tells the thread sanitizer what happens on the slow path of Swift's Mutex. Built and preloaded by scripts/soak.
//
// The fast path of Synchronization.Mutex is inlined and so instrumented. When two threads meet, the lock is handed
// over by the kernel (FUTEX_LOCK_PI) inside libswiftSynchronization, which is not instrumented: the sanitizer then
// sees no order between the two and reports races that are none. These functions take the place of the library's,
// call them, and state the order. In a program without the sanitizer they do nothing more than call them.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

// Of the sanitizer's runtime, which is part of the program where there is one.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

SWIFT void annotated_lock(uint32_t thread, SELF void *handle) __asm__(LOCK);
SWIFT void annotated_unlock(SELF void *handle) __asm__(UNLOCK);

typedef SWIFT void lock_function(uint32_t thread, SELF void *handle);
typedef SWIFT void unlock_function(SELF void *handle);

SWIFT void annotated_lock(uint32_t thread, SELF void *handle) {
    static lock_function *next;
    if (!next) next = (lock_function *)dlsym(RTLD_NEXT, LOCK);
    next(thread, handle);
    if (__tsan_acquire) __tsan_acquire(handle);
}

SWIFT void annotated_unlock(SELF void *handle) {
    static unlock_function *next;
    if (!next) next = (unlock_function *)dlsym(RTLD_NEXT, UNLOCK);
    if (__tsan_release) __tsan_release(handle);
    next(handle);
}
