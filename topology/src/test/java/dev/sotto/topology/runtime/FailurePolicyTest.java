package dev.sotto.topology.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.sotto.learner.extension.ExtensionException;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.failure.TransientException;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.registry.RegistryClient;
import dev.sotto.topology.registry.SchemaRegistry;
import dev.sotto.topology.rocksdb.StoreFiles;
import dev.sotto.topology.settings.Names;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.streams.errors.LockException;
import org.apache.kafka.streams.errors.MissingSourceTopicException;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.errors.TopologyException;
import org.apache.kafka.streams.processor.TaskId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.rocksdb.RocksDBException;

class FailurePolicyTest {
  private static final TopicPartition WHERE = new TopicPartition("arrivals", 0);

  @TempDir
  Path folder;

  private FailurePolicy policy;

  private FailurePolicy policy(Path state, String other, LongSupplier clock) {
    return new FailurePolicy(
        "app",
        "arrivals",
        new StateFolder(state),
        () -> Optional.ofNullable(other).map(UnsafeToContinueException::new),
        clock);
  }

  @BeforeEach
  void makePolicy() {
    policy = policy(folder, null, System::nanoTime);
  }

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
        Arguments.of(new UnsafeToContinueException("no"), FailureKind.REFUSED, "no"),
        Arguments.of(
            new StreamsException(new ExtensionException("the loss mine cannot be run", null)),
            FailureKind.CONFIGURATION,
            "the loss mine"),
        Arguments.of(new MissingSourceTopicException("x"), FailureKind.TOPIC, "arrivals"),
        Arguments.of(
            new TimeoutException("in metadata", new UnknownTopicOrPartitionException("x")),
            FailureKind.TOPIC,
            "a topic that app writes is gone"),
        Arguments.of(
            new OffsetOutOfRangeException(Map.of(WHERE, 7L)), FailureKind.REFUSED, "retention.ms"),
        Arguments.of(
            new NoOffsetForPartitionException(WHERE),
            FailureKind.TOPIC,
            "[arrivals-0]: partitions"),
        Arguments.of(
            new TopicAuthorizationException("arrivals"), FailureKind.FORBIDDEN, "arrivals"),
        Arguments.of(
            new FencedInstanceIdException("x"), FailureKind.STATE_FOLDER, "copy of this state.dir"),
        Arguments.of(new SaslAuthenticationException("wrong"), FailureKind.FORBIDDEN, "wrong"),
        Arguments.of(new SottoException(FailureKind.TOPIC, "known"), FailureKind.TOPIC, "known"));
  }

  @ParameterizedTest
  @MethodSource("hopeless")
  void stopsWhereTryingAgainCannotHelp(Throwable cause, FailureKind code, String message) {
    assertThat(policy.handle(new StreamsException("outside", cause)))
        .isEqualTo(StreamThreadExceptionResponse.SHUTDOWN_CLIENT);
    assertThat(policy.failure().kind()).isEqualTo(code);
    assertThat(policy.failure()).hasMessageContaining(message);
  }

  /** What failed is asked of the cluster and of the folder, never read out of a message. */
  @Test
  void asksTheClusterWhetherThePartitionsHaveChanged() {
    Throwable nameless = new StreamsException("outside", new StreamsException("of Streams"));
    assertThat(policy.handle(nameless)).isEqualTo(StreamThreadExceptionResponse.REPLACE_THREAD);
    Throwable ofTheStreamsProtocol = new TopologyException("partitions");
    for (Throwable cause :
        List.of(nameless, ofTheStreamsProtocol, new NoOffsetForPartitionException(WHERE))) {
      FailurePolicy changed = policy(folder, "models would move", System::nanoTime);
      assertThat(changed.handle(cause)).isEqualTo(StreamThreadExceptionResponse.SHUTDOWN_CLIENT);
      assertThat(changed.failure())
          .isInstanceOf(UnsafeToContinueException.class)
          .hasMessage("models would move");
    }
    assertThat(policy(folder, "models would move", System::nanoTime)
            .handle(new TimeoutException("slow")))
        .isEqualTo(StreamThreadExceptionResponse.REPLACE_THREAD);
  }

  static Stream<Throwable> ofStores() {
    return Stream.of(
        new ProcessorStateException("x", new RocksDBException("a write failed")),
        new IOException("a write failed"),
        new ProcessorStateException("a folder is missing"));
  }

  @ParameterizedTest
  @MethodSource("ofStores")
  void triesWhetherTheStateFolderCanBeWritten(Throwable cause) throws IOException {
    Throwable thrown = new StreamsException("outside", cause);
    assertThat(policy.handle(thrown)).isEqualTo(StreamThreadExceptionResponse.REPLACE_THREAD);
    assertThat(folder).isEmptyDirectory();
    for (Path broken :
        List.of(Files.writeString(folder.resolve("file"), ""), folder.resolve("nowhere"))) {
      FailurePolicy stopping = policy(broken.resolve("state"), null, System::nanoTime);
      assertThat(stopping.handle(thrown)).isEqualTo(StreamThreadExceptionResponse.SHUTDOWN_CLIENT);
      assertThat(stopping.failure().kind()).isEqualTo(FailureKind.STATE_FOLDER);
      assertThat(stopping.failure()).hasMessageContainingAll("state.dir", broken.toString());
      assertThat(stopping.handle(new StreamsException(new LockException("taken"))))
          .isEqualTo(StreamThreadExceptionResponse.REPLACE_THREAD);
    }
  }

  /** What Streams keeps of a task that failed is not opened again. */
  @Test
  void suspectsTheStoresOfATaskThatFailedForThem() throws IOException {
    TaskId failed = new TaskId(0, 1);
    StoreFiles own = StoreFiles.in(folder.resolve("app").resolve("0_1"), Names.HEADS);
    StoreFiles others = StoreFiles.in(folder.resolve("app").resolve("0_2"), Names.UNITS);
    Files.createDirectories(own.folder());
    Files.createDirectories(others.folder());
    policy.handle(new StreamsException("outside", new TimeoutException("slow"), failed));
    assertThat(own.areSuspect()).isFalse();
    policy.handle(new StreamsException("outside", new TransientException("disagree"), failed));
    assertThat(own.areSuspect()).isTrue();
    assertThat(others.areSuspect()).isFalse();
    policy.handle(new ProcessorStateException("x", new RocksDBException("Corruption")));
    assertThat(others.areSuspect()).isTrue();
  }

  static Stream<Throwable> passing() {
    return Stream.of(
        new TransientException(FailureKind.UNREACHABLE, "no broker answered"),
        new TimeoutException("slow"),
        new ProducerFencedException("fenced"),
        new LockException("No space left on device, says a lock"),
        new ProcessorStateException("damaged"),
        new IllegalStateException("No space left on device, says something else"));
  }

  /**
   * What Kafka or RocksDB say may tell offsets and sizes; what our own stores say tells what to do.
   */
  @Test
  void repeatsItsOwnWordsOnly() {
    IllegalStateException foreign = new IllegalStateException("position 4711");
    assertThat(FailurePolicy.nameOf(new StreamsException("outside", foreign)))
        .isEqualTo("IllegalStateException");
    TransientException own =
        new TransientException(FailureKind.FAULTS, "the stores differ", foreign);
    assertThat(FailurePolicy.nameOf(new StreamsException("outside", own)))
        .isEqualTo("the stores differ");
  }

  @ParameterizedTest
  @MethodSource("passing")
  void replacesTheThreadWhereTryingAgainMayHelp(Throwable cause) {
    assertThat(policy.handle(new StreamsException("outside", cause)))
        .isEqualTo(StreamThreadExceptionResponse.REPLACE_THREAD);
    assertThat(policy.failure()).isNull();
  }

  /** Its record stays unread: there is nothing to lose by waiting. */
  @Test
  void waitsForASchemaRegistryHoweverLong() throws IOException {
    long[] now = {0};
    FailurePolicy slow = policy(folder, null, () -> now[0] += TimeUnit.SECONDS.toNanos(5));
    SchemaRegistry gone = new SchemaRegistry(
        Optional.of(
            new RegistryClient(URI.create("http://127.0.0.1:1"), () -> "", Optional.empty())),
        Optional.empty(),
        Duration.ZERO);
    Throwable outage = catchThrowable(() -> gone.schema(1));
    assertThat(outage).isInstanceOf(TransientException.class);
    for (int fault = 1; fault <= 100; fault++) {
      assertThat(slow.handle(new StreamsException(outage)))
          .isEqualTo(StreamThreadExceptionResponse.REPLACE_THREAD);
    }
    assertThat(slow.failure()).isNull();
  }

  /** Streams throws it on; the virtual machine would print sizes and offsets of records. */
  @Test
  void whatWasJudgedIsNotToldOnceMoreByTheDyingThread() throws InterruptedException {
    var before = Thread.getDefaultUncaughtExceptionHandler();
    List<Throwable> told = new CopyOnWriteArrayList<>();
    Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> told.add(thrown));
    Thread.interrupted(); // by another test, perhaps
    try {
      Thread dying = new Thread(() -> {
        StreamsException thrown = new StreamsException("The message is 1248336 bytes");
        policy.handle(thrown);
        throw thrown;
      });
      dying.start();
      dying.join();
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
    assertThat(told).isEmpty();
  }

  @Test
  void givesUpWhenFaultsKeepComing() {
    long[] now = {0};
    FailurePolicy slow = policy(folder, null, () -> now[0] += TimeUnit.SECONDS.toNanos(20));
    for (int fault = 1; fault <= 10; fault++) {
      assertThat(slow.handle(new TimeoutException("1234 bytes")))
          .isEqualTo(StreamThreadExceptionResponse.REPLACE_THREAD);
    }
    assertThat(slow.handle(new TimeoutException("1234 bytes")))
        .isEqualTo(StreamThreadExceptionResponse.SHUTDOWN_CLIENT);
    assertThat(slow.failure().kind()).isEqualTo(FailureKind.FAULTS);
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
    policy.handle(new UnsafeToContinueException("first"));
    policy.handle(new UnsafeToContinueException("second"));
    assertThat(policy.failure()).hasMessage("first");
  }
}
