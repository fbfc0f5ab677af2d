package dev.sotto.app.scoring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.topology.failure.FailureKind;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
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

  /** A producer waits for a minute each time: no number of faults in a while would ever end it. */
  @Test
  void stopsWhereATopicToWriteIsGone() {
    ScoringFailures failures = new ScoringFailures(() -> 0);
    Throwable gone =
        new TimeoutException("not in metadata", new UnknownTopicOrPartitionException("x"));
    assertThat(failures.handle(new StreamsException("of a commit", gone)))
        .isEqualTo(StreamThreadExceptionResponse.SHUTDOWN_CLIENT);
    assertThat(failures.failure().orElseThrow().kind()).isEqualTo(FailureKind.TOPIC);
  }
}
