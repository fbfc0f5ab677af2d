package dev.sotto.app.serve;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that all requests under way may take together. What a request takes is reserved before
 * it is allocated; a request for which there is none is refused with 503. Safe for use by several
 * threads.
 */
final class RequestMemory {
  private final AtomicLong left;

  RequestMemory(long bytes) {
    left = new AtomicLong(bytes);
  }

  /** A share of the heap, and always enough for one request. */
  static RequestMemory of(ServeSettings.Limits limits) {
    return new RequestMemory(
        Math.max(Runtime.getRuntime().maxMemory() / 4, 64 * limits.bodyBytes()));
  }

  /** What one request has reserved; used by one thread at a time. */
  final class Lease {
    private long taken;

    /**
     * Reserves so much that the request has this number of bytes at least.
     *
     * @throws BadRequestException where others have what is left
     */
    void cover(long bytes) throws BadRequestException {
      long more = bytes - taken;
      if (more <= 0) {
        return;
      }
      if (left.addAndGet(-more) < 0) {
        left.addAndGet(more);
        throw new BadRequestException(
            503,
            "requests under way take all memory there is for them: try again in a moment, or"
                + " send fewer events at a time");
      }
      taken += more;
    }

    /** Gives all of it back; may be called again. */
    void release() {
      left.addAndGet(taken);
      taken = 0;
    }
  }
}
