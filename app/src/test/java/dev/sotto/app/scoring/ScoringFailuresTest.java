package dev.sotto.app.scoring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.streams.errors.StreamsException;
import org.junit.jupiter.api.Test;

class ScoringFailuresTest {
  /** Streams throws it on; the virtual machine would print sizes and offsets of records. */
  @Test
  void whatWasJudgedIsNotToldOnceMoreByTheDyingThread() throws InterruptedException {
    var before = Thread.getDefaultUncaughtExceptionHandler();
    List<Throwable> told = new CopyOnWriteArrayList<>();
    Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> told.add(thrown));
    try {
      Thread dying = new Thread(() -> {
        StreamsException thrown = new StreamsException("The message is 1248336 bytes");
        new ScoringFailures(() -> 0).handle(thrown);
        throw thrown;
      });
      dying.start();
      dying.join();
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
    assertThat(told).isEmpty();
  }
}
