package dev.sotto.replay.recording.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** Blocks come in their order, whole, each once, whoever reads them. */
class ReadAheadTest {
  private static final int BLOCK = 64 * 1024;

  /** Blocks that are filled with their number, in one buffer. */
  private static final class Numbers implements ReadAhead.Source {
    private final int blocks;
    private final IOException failure;
    private final int length; // of every block; 0 where each is longer than the one before
    private final byte[] buffer = new byte[BLOCK];
    private final Set<Thread> readers = ConcurrentHashMap.newKeySet();
    private volatile int read;
    private volatile int taken;
    private volatile int ahead;
    private volatile boolean closed;

    Numbers(int blocks, IOException failure) {
      this(blocks, failure, 0);
    }

    Numbers(int blocks, IOException failure, int length) {
      this.blocks = blocks;
      this.failure = failure;
      this.length = length;
    }

    @Override
    public long position() {
      return read;
    }

    @Override
    public ByteBuffer next() throws IOException {
      assertThat(closed).isFalse();
      readers.add(Thread.currentThread());
      if (read == blocks) {
        if (failure != null) {
          throw failure;
        }
        return null;
      }
      int bytes = length > 0 ? length : 1 + read % BLOCK;
      Arrays.fill(buffer, 0, bytes, (byte) read);
      read = read + 1;
      ahead = Math.max(ahead, read - taken);
      return ByteBuffer.wrap(buffer, 0, bytes);
    }

    @Override
    public long records() {
      return read;
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  private static void takeAll(ReadAhead ahead, int blocks) {
    for (int i = 0; i < blocks; i++) {
      ReadAhead.Block block = ahead.next();
      assertThat(block.start()).isEqualTo(i);
      assertThat(block.records()).isEqualTo(i + 1);
      assertThat(block.length()).isEqualTo(1 + i % BLOCK);
      for (int at = 0; at < block.length(); at++) {
        if (block.bytes()[at] != (byte) i) {
          throw new AssertionError("block " + i + " was overwritten at " + at);
        }
      }
    }
  }

  @Test
  void givesEveryBlockInItsTurn() throws IOException {
    Numbers numbers = new Numbers(3000, null);
    try (ReadAhead ahead = new ReadAhead(numbers)) {
      takeAll(ahead, 3000);
      assertThat(ahead.next().isLast()).isTrue();
      assertThat(ahead.next().isLast()).as("and again").isTrue();
      assertThat(ahead.next().failure()).isNull();
    }
    if (Runtime.getRuntime().availableProcessors() > 1) {
      assertThat(numbers.readers).as("two threads read").hasSizeGreaterThan(1);
    }
  }

  @Test
  void tellsWhatIsWrongInItsTurn() throws IOException {
    IOException broken = new IOException("broken");
    try (ReadAhead ahead = new ReadAhead(new Numbers(40, broken))) {
      takeAll(ahead, 40);
      assertThat(ahead.next().failure()).isSameAs(broken);
      assertThat(ahead.next().failure()).isSameAs(broken);
    }
  }

  @Test
  void readsFewBlocksAheadAndTheFirstWithoutAnotherThread() throws Exception {
    Numbers numbers = new Numbers(1000, null, 50_000);
    try (ReadAhead ahead = new ReadAhead(numbers)) {
      ahead.next();
      assertThat(numbers.readers).containsExactly(Thread.currentThread());
      boolean apart = Runtime.getRuntime().availableProcessors() > 1;
      for (int i = 1; i < 200; i++) {
        ahead.next();
        numbers.taken = i + 1;
        while (apart && numbers.read < numbers.taken + 4) { // the other thread has its time
          Thread.onSpinWait();
        }
      }
    }
    assertThat(numbers.ahead).isLessThan(40);
  }

  @Test
  void closesWhileAnotherThreadReads() throws IOException {
    for (int taken = 0; taken < 50; taken++) {
      Numbers numbers = new Numbers(1000, null);
      ReadAhead ahead = new ReadAhead(numbers);
      takeAll(ahead, taken);
      ahead.close();
      assertThat(numbers.closed).isTrue();
      int read = numbers.read;
      assertThatThrownBy(ahead::next).isInstanceOf(IllegalStateException.class);
      assertThat(numbers.read).as("nothing is read of a closed file").isEqualTo(read);
    }
  }

  @Test
  void servesMorePartitionsThanThereAreThreads() throws IOException {
    List<ReadAhead> all = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      all.add(new ReadAhead(new Numbers(200, null)));
    }
    Set<ReadAhead> open = new HashSet<>(all);
    int blocks = 0;
    while (!open.isEmpty()) {
      for (ReadAhead each : List.copyOf(open)) {
        if (each.next().isLast()) {
          open.remove(each);
        } else {
          blocks++;
        }
      }
    }
    assertThat(blocks).isEqualTo(12 * 200);
    for (ReadAhead each : all) {
      each.close();
    }
  }
}
