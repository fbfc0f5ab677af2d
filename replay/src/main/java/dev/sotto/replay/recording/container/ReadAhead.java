package dev.sotto.replay.recording.container;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Reads the blocks of one partition ahead of whoever takes them, on another thread where the
 * machine has one to spare: a block is read, decompressed and digested while the one before is
 * worked on. The first block is read by whoever takes it, so that one look at a file starts
 * nothing.
 *
 * <p>Blocks come in the order of the file, and so does what is wrong with one. Taken by one thread.
 */
final class ReadAhead implements Closeable {
  /** Reads block after block; by one thread at a time. */
  interface Source extends Closeable {
    /** Where the next block begins. */
    long position();

    /** The next block in clear, which the one after it overwrites; null at the end. */
    ByteBuffer next() throws IOException;

    /** The number of records in the last block. */
    long records();
  }

  /**
   * One block, or what there is instead.
   *
   * @param start the byte of the file at which it begins
   * @param bytes in clear, from 0 to {@code length}; null at the end, and where it cannot be read
   * @param records in it
   * @param failure why it cannot be read; null where it can
   */
  record Block(long start, byte[] bytes, int length, long records, Throwable failure) {
    boolean isLast() {
      return bytes == null;
    }
  }

  /** Of one partition, and one block. */
  private static final long MOST_BYTES = 512 * 1024;

  /** Of all that are open, and one block of each. */
  private static final long MOST_OF_ALL = 16 * 1024 * 1024;

  private static final AtomicInteger OPEN = new AtomicInteger();

  private static final long IDLE_SECONDS = 10;
  private static final int THREADS = Runtime.getRuntime().availableProcessors() - 1;
  private static final ExecutorService READERS = THREADS < 1 ? null : readers();

  private final Source source;
  private final Deque<Block> ready = new ArrayDeque<>();
  private final Deque<byte[]> spare = new ArrayDeque<>();
  private Block current;
  private Block last; // the end, or the first that cannot be read
  private long readyBytes;
  private boolean begun;
  private boolean reading; // on the other thread, which alone uses the source then
  private boolean closed;

  ReadAhead(Source source) {
    this.source = source;
    OPEN.incrementAndGet();
  }

  private static ExecutorService readers() {
    ThreadPoolExecutor pool = new ThreadPoolExecutor(
        THREADS, THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> {
          Thread thread = new Thread(work, "sotto-read-ahead");
          thread.setDaemon(true);
          return thread;
        });
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  /** The next block; the one before is overwritten from now on. The last comes again and again. */
  Block next() {
    synchronized (ready) {
      if (closed) {
        throw new IllegalStateException("the recording is closed");
      }
      if (current != null && !current.isLast()) {
        spare.push(current.bytes());
      }
      awaitBlock();
      current = ready.poll();
      if (current == null) {
        current = last != null ? last : read(spare.poll());
      } else {
        readyBytes -= current.length();
      }
      if (current.isLast()) {
        last = current;
      } else if (begun && last == null && !reading && READERS != null && isRoom()) {
        reading = true;
        READERS.execute(this::readOn);
      }
      begun = true;
      return current;
    }
  }

  private boolean isRoom() {
    return readyBytes < most() / 2;
  }

  private static long most() {
    return Math.min(MOST_BYTES, MOST_OF_ALL / Math.max(1, OPEN.get()));
  }

  private void awaitBlock() {
    boolean interrupted = false;
    while (reading && ready.isEmpty()) {
      try {
        ready.wait();
      } catch (InterruptedException later) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void readOn() {
    boolean ended = false;
    try {
      while (!ended) {
        byte[] into;
        synchronized (ready) {
          into = spare.poll();
        }
        Block block = read(into);
        synchronized (ready) {
          if (block.isLast()) {
            last = block;
          } else {
            ready.add(block);
            readyBytes += block.length();
          }
          ended = last != null || readyBytes >= most() || closed;
          reading = !ended;
          ready.notifyAll();
        }
      }
    } finally {
      if (!ended) { // no memory is left even for saying so: whoever takes the next block finds out
        synchronized (ready) {
          reading = false;
          ready.notifyAll();
        }
      }
    }
  }

  private Block read(byte[] into) {
    long start = source.position();
    try {
      ByteBuffer clear = source.next();
      if (clear == null) {
        return new Block(start, null, 0, 0, null);
      }
      int length = clear.remaining();
      byte[] bytes = into != null && into.length >= length ? into : new byte[length];
      clear.get(bytes, 0, length);
      return new Block(start, bytes, length, source.records(), null);
    } catch (IOException | RuntimeException | Error failure) { // thrown in its turn
      return new Block(start, null, 0, 0, failure);
    }
  }

  @Override
  public void close() throws IOException {
    synchronized (ready) {
      if (!closed) {
        OPEN.decrementAndGet();
      }
      closed = true;
      ready.clear();
      readyBytes = 0;
      while (reading) { // at most the rest of one block
        awaitBlock();
        ready.clear();
      }
      spare.clear();
    }
    source.close();
  }
}
