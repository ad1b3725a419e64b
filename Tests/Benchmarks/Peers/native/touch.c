// touch BYTES
//
// Writes to so many bytes of memory and gives them back. A virtual machine may have handed its free memory to the
// host and then pays for every page that it takes again, so that whoever runs first after a pause looks slow.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

int main(int count, char **arguments) {
    if (count != 2) {
        fprintf(stderr, "usage: touch BYTES\n");
        return 2;
    }
    size_t length = strtoull(arguments[1], NULL, 10);
    if (length == 0) return 0;
    volatile char *memory = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        perror("touch: mmap");
        return 1;
    }
    for (size_t offset = 0; offset < length; offset += 4096) memory[offset] = 1;
    return 0;
}
