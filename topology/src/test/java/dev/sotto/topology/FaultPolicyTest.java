package dev.sotto.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.extension.ExtensionFailure;
import dev.sotto.topology.core.Refusal;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.streams.errors.LockException;
import org.apache.kafka.streams.errors.MissingSourceTopicException;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.rocksdb.RocksDBException;

class FaultPolicyTest {
  private static final TopicPartition WHERE = new TopicPartition("arrivals", 0);

  private final FaultPolicy policy = new FaultPolicy("arrivals");

  /** An interrupted thread does not sleep: the pauses between faults pass at once. */
  @BeforeEach
  void skipPauses() {
    Thread.currentThread().interrupt();
  }

  @AfterEach
  void sleepAgain() {
    Thread.interrupted();
  }

  static Stream<Arguments> hopeless() {
    return Stream.of(
        Arguments.of(new Refusal("no"), ExitCode.REFUSED, "no"),
        Arguments.of(
            new StreamsException(new ExtensionFailure("the loss mine cannot be run", null)),
            ExitCode.CONFIGURATION,
            "the loss mine"),
        Arguments.of(new MissingSourceTopicException("x"), ExitCode.TOPIC, "arrivals"),
        Arguments.of(
            new OffsetOutOfRangeException(Map.of(WHERE, 7L)), ExitCode.REFUSED, "retention.ms"),
        Arguments.of(new NoOffsetForPartitionException(WHERE), ExitCode.TOPIC, "start again"),
        Arguments.of(
            new StreamsException("Existing internal topic x has invalid partitions"),
            ExitCode.REFUSED,
            "new app.id"),
        Arguments.of(new TopicAuthorizationException("arrivals"), ExitCode.FORBIDDEN, "arrivals"),
        Arguments.of(new SaslAuthenticationException("wrong"), ExitCode.FORBIDDEN, "wrong"),
        Arguments.of(
            new ProcessorStateException("x", new RocksDBException("No space left on device")),
            ExitCode.STATE_FOLDER,
            "state.dir"),
        Arguments.of(
            new IOException("/state: Read-only file system"), ExitCode.STATE_FOLDER, "state.dir"),
        Arguments.of(
            new ProcessorStateException("task directory doesn't exist and couldn't be created"),
            ExitCode.STATE_FOLDER,
            "state.dir"),
        Arguments.of(new StartFailure(ExitCode.TOPIC, "known"), ExitCode.TOPIC, "known"));
  }

  @ParameterizedTest
  @MethodSource("hopeless")
  void stopsWhereTryingAgainCannotHelp(Throwable cause, ExitCode code, String message) {
    assertThat(policy.handle(new StreamsException("outside", cause)))
        .isEqualTo(StreamThreadExceptionResponse.SHUTDOWN_CLIENT);
    assertThat(policy.failure().exitCode()).isEqualTo(code);
    assertThat(policy.failure()).hasMessageContaining(message);
  }

  static Stream<Throwable> passing() {
    return Stream.of(
        new TimeoutException("slow"),
        new ProducerFencedException("fenced"),
        new LockException("No space left on device, says a lock"),
        new ProcessorStateException("damaged"),
        new IllegalStateException("No space left on device, says something else"));
  }

  /** What Kafka or RocksDB say may tell offsets and sizes; what our own stores say tells what to do. */
  @Test
  void repeatsItsOwnWordsOnly() {
    IllegalStateException foreign = new IllegalStateException("position 4711");
    foreign.setStackTrace(
        new StackTraceElement[] {new StackTraceElement("org.apache.kafka.X", "y", "X.java", 1)});
    assertThat(FaultPolicy.nameOf(new StreamsException("outside", foreign)))
        .isEqualTo("IllegalStateException");
    IllegalStateException own = new IllegalStateException("the stores differ", foreign);
    assertThat(FaultPolicy.nameOf(new StreamsException("outside", own)))
        .isEqualTo("the stores differ");
  }

  @ParameterizedTest
  @MethodSource("passing")
  void replacesTheThreadWhereTryingAgainMayHelp(Throwable cause) {
    assertThat(policy.handle(new StreamsException("outside", cause)))
        .isEqualTo(StreamThreadExceptionResponse.REPLACE_THREAD);
    assertThat(policy.failure()).isNull();
  }

  @Test
  void givesUpWhenFaultsKeepComing() {
    long[] now = {0};
    FaultPolicy slow = new FaultPolicy("arrivals", () -> now[0] += TimeUnit.SECONDS.toNanos(20));
    for (int fault = 1; fault <= 10; fault++) {
      assertThat(slow.handle(new TimeoutException("1234 bytes")))
          .isEqualTo(StreamThreadExceptionResponse.REPLACE_THREAD);
    }
    assertThat(slow.handle(new TimeoutException("1234 bytes")))
        .isEqualTo(StreamThreadExceptionResponse.SHUTDOWN_CLIENT);
    assertThat(slow.failure().exitCode()).isEqualTo(ExitCode.FAULTS);
    assertThat(slow.failure())
        .hasMessageContainingAll("10 faults within 10 minutes", "TimeoutException")
        .hasMessageNotContaining("1234"); // a size of a record is no figure for the public
  }

  /** Sixteen threads that lose one broker are one fault. */
  @Test
  void takesManyThreadsForOneFault() {
    for (int thread = 0; thread < 16; thread++) {
      assertThat(policy.handle(new TimeoutException("slow")))
          .isEqualTo(StreamThreadExceptionResponse.REPLACE_THREAD);
    }
  }

  @Test
  void keepsTheFirstReason() {
    policy.handle(new Refusal("first"));
    policy.handle(new Refusal("second"));
    assertThat(policy.failure()).hasMessage("first");
  }
}
