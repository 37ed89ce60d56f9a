/* Preloaded, it gives a program a clock that can be stepped: microseconds from the file CLOCK_STEP_FILE are
   added to the time of day. It allocates no memory, so that it works with every allocator. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile const long long *step_us;

__attribute__((constructor)) static void open_step(void) {
  const char *path = getenv("CLOCK_STEP_FILE");
  int file = path == NULL ? -1 : open(path, O_RDONLY);
  void *map = file < 0 ? MAP_FAILED : mmap(NULL, sizeof(long long), PROT_READ, MAP_SHARED, file, 0);
  if (map != MAP_FAILED) step_us = map;
}

static long long stepped_us(void) {
  struct timespec now;
  syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
  return now.tv_sec * 1000000LL + now.tv_nsec / 1000 + (step_us == NULL ? 0 : *step_us);
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  (void)zone;
  long long us = stepped_us();
  now->tv_sec = us / 1000000;
  now->tv_usec = us % 1000000;
  return 0;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  if (clock != CLOCK_REALTIME) return syscall(SYS_clock_gettime, clock, now);
  long long us = stepped_us();
  now->tv_sec = us / 1000000;
  now->tv_nsec = us % 1000000 * 1000;
  return 0;
}

time_t time(time_t *now) {
  time_t seconds = stepped_us() / 1000000;
  if (now != NULL) *now = seconds;
  return seconds;
}
