package dev.sotto.topology.label;

import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.settings.LabelKeys;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Bounds the bytes of all joins of an instance: by a number, or so that as much stays free on the
 * disk as they take, since RocksDB rewrites what it holds. Where the bound is passed the learner
 * stops. It never closes a slot earlier: sizes of some records would then decide what others'
 * slots hold. Safe for use by several threads.
 */
public final class WaitingBytes {
  private static final long AGAIN = 1_000; // milliseconds between two looks at the disk

  private final OptionalLong most;
  private final AtomicLong total = new AtomicLong();
  private volatile long free = Long.MAX_VALUE;
  private volatile long lookedAt = Long.MIN_VALUE / 2;

  /**
   * A bound.
   *
   * @param most in bytes; empty for what is free on the disk
   */
  public WaitingBytes(OptionalLong most) {
    this.most = most;
  }

  /** One task's part. For its thread. */
  public final class Part {
    private final LongSupplier disk;
    private long counted;

    private Part(LongSupplier disk) {
      this.disk = disk;
    }

    /** Whether all parts together are within the bound, this one being of a number of bytes. */
    public boolean fits(long bytes, long now) {
      long all = total.addAndGet(bytes - counted);
      counted = bytes;
      if (most.isPresent()) {
        return all <= most.getAsLong();
      }
      if (now - lookedAt >= AGAIN) {
        free = disk.getAsLong();
        lookedAt = now;
      }
      return all <= free;
    }

    /** It is another instance's now, or begins again. */
    public void release() {
      total.addAndGet(-counted);
      counted = 0;
    }
  }

  /**
   * A part for a task.
   *
   * @param disk tells the free bytes of the state's disk
   */
  public Part part(LongSupplier disk) {
    return new Part(disk);
  }

  /** Why the learner stops. It says nothing of what records hold, sizes included. */
  public SottoException exceeded() {
    String bound = most.isPresent()
        ? LabelKeys.BYTES + ", " + most.getAsLong()
        : "what is still free on the disk of state.dir";
    return new SottoException(
        FailureKind.STATE_FOLDER,
        "events that wait for their labels, and labels without an event, take more bytes in this"
            + " instance than " + bound + ": no more are read, and nothing is lost. Look whether"
            + " the topic of labels is at hand and no transaction stays open on it: events wait"
            + " until their labels have been read. ./sotto plan --rate N says what a wait of "
            + LabelKeys.WAIT + " takes at N events a second. Free some space or raise "
            + LabelKeys.BYTES + ", then start again");
  }
}
