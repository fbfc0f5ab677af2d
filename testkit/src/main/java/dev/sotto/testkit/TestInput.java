package dev.sotto.testkit;

import dev.sotto.replay.recorder.Recordings;
import dev.sotto.replay.recording.InMemoryRecording;
import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingHeader;
import dev.sotto.replay.recording.RecordingOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** What a test learns from: literal events, or a recording. */
public final class TestInput {
  private final List<TestEvent> literal; // null of a recording
  private final Function<String, Recording> opener;

  private TestInput(List<TestEvent> literal, Function<String, Recording> opener) {
    this.literal = literal;
    this.opener = opener;
  }

  /**
   * Values of events in partition 0, as texts: one JSON object each, or whatever the decoder reads.
   */
  public static TestInput of(String... values) {
    return of(Arrays.stream(values).map(TestEvent::of).toList());
  }

  /** Events in the order of their topic. */
  public static TestInput of(TestEvent... events) {
    return of(List.of(events));
  }

  /** Events in the order of their topic. */
  public static TestInput of(List<TestEvent> events) {
    List<TestEvent> copy = List.copyOf(events);
    return new TestInput(copy, topic -> inMemory(topic, copy));
  }

  /**
   * What {@code ./sotto record} wrote, or a text file of events: JSON lines ({@code .jsonl}), CSV
   * or libsvm, with or without {@code .gz}.
   */
  public static TestInput recorded(Path file) {
    return recorded(file, RecordingOptions.defaults());
  }

  /** The same, read in a certain way. */
  public static TestInput recorded(Path file, RecordingOptions options) {
    return new TestInput(null, topic -> Recordings.open(file, options));
  }

  /** A recording that is at hand; whoever made it closes it. */
  public static TestInput of(Recording recording) {
    return new TestInput(null, topic -> new Lent(recording));
  }

  /** The same events a number of times, one after the other; of literal ones only. */
  public TestInput repeated(int times) {
    List<TestEvent> all = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      all.addAll(literal());
    }
    return of(all);
  }

  /** These events and then others; literal ones only. */
  public TestInput followedBy(TestInput more) {
    List<TestEvent> all = new ArrayList<>(literal());
    all.addAll(more.literal());
    return of(all);
  }

  private List<TestEvent> literal() {
    if (literal == null) {
      throw new IllegalStateException("these events are a recording, and stay as they are");
    }
    return literal;
  }

  /** Whether they stand in a test, so that its failures may repeat them. */
  boolean areLiteral() {
    return literal != null;
  }

  Recording open(String topic) {
    return opener.apply(topic);
  }

  /** All of them, partition after partition. */
  List<TestEvent> list(String topic) {
    if (literal != null) {
      return literal;
    }
    List<TestEvent> all = new ArrayList<>();
    try (Recording recording = open(topic)) {
      for (RecordedRange range : recording.header().ranges()) {
        try (RecordCursor cursor = recording.open(range.partition())) {
          while (cursor.next()) {
            all.add(new TestEvent(
                range.partition(), cursor.key(), cursor.value(), cursor.timestamp(), Map.of()));
          }
        }
      }
    }
    return all;
  }

  /** How many, and a SHA-256 of all that matters in them. */
  Summary summary(String topic) {
    Sha256Fields digest = new Sha256Fields();
    long count = 0;
    int partitions = 0;
    try (Recording recording = open(topic)) {
      for (RecordedRange range : recording.header().ranges()) {
        digest.number(range.partition());
        partitions++;
        try (RecordCursor cursor = recording.open(range.partition())) {
          for (; cursor.next(); count++) {
            digest.number(cursor.offset()).bytes(cursor.key()).bytes(cursor.value());
            cursor
                .headers()
                .forEach(each ->
                    digest.bytes(each.key().getBytes(StandardCharsets.UTF_8)).bytes(each.value()));
          }
        }
      }
    }
    return new Summary(count, partitions, HexFormat.of().formatHex(digest.finish()));
  }

  record Summary(long count, int partitions, String digest) {}

  private static Recording inMemory(String topic, List<TestEvent> events) {
    int most = events.stream().mapToInt(TestEvent::partition).max().orElse(0);
    return inMemory(topic, events, most + 1);
  }

  static Recording inMemory(String topic, List<TestEvent> events, int partitions) {
    InMemoryRecording.Builder recording = InMemoryRecording.of(topic);
    long[] ends = new long[partitions];
    for (int partition = 0; partition < partitions; partition++) {
      recording.partition(partition, 0);
    }
    for (TestEvent event : events) {
      RecordHeaders headers = new RecordHeaders();
      event
          .headers()
          .forEach((name, text) -> headers.add(name, text.getBytes(StandardCharsets.UTF_8)));
      recording.add(
          event.partition(),
          ends[event.partition()]++,
          event.timestamp(),
          event.key(),
          event.value(),
          headers);
    }
    return recording.build();
  }

  /** One that stays open. */
  private record Lent(Recording recording) implements Recording {
    @Override
    public RecordingHeader header() {
      return recording.header();
    }

    @Override
    public RecordCursor open(int partition) {
      return recording.open(partition);
    }

    @Override
    public void close() {}
  }
}
