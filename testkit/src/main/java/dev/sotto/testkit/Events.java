package dev.sotto.testkit;

import dev.sotto.replay.recording.MemoryRecording;
import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingHeader;
import dev.sotto.replay.recording.RecordingOptions;
import dev.sotto.replay.recording.Recordings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** A stream to learn from: literal events, or a recording. */
public final class Events {
  private final List<Event> literal; // null of a recording
  private final Function<String, Recording> opener;

  private Events(List<Event> literal, Function<String, Recording> opener) {
    this.literal = literal;
    this.opener = opener;
  }

  /** Values of events in partition 0, as texts: one JSON object each, or whatever the decoder reads. */
  public static Events of(String... values) {
    return of(Arrays.stream(values).map(Event::of).toList());
  }

  /** Events in the order of their topic. */
  public static Events of(Event... events) {
    return of(List.of(events));
  }

  /** Events in the order of their topic. */
  public static Events of(List<Event> events) {
    List<Event> copy = List.copyOf(events);
    return new Events(copy, topic -> inMemory(topic, copy));
  }

  /**
   * What {@code ./sotto record} wrote, or a text file of events: JSON lines ({@code .jsonl}), CSV or libsvm, with or
   * without {@code .gz}.
   */
  public static Events recorded(Path file) {
    return recorded(file, RecordingOptions.defaults());
  }

  /** The same, read in a certain way. */
  public static Events recorded(Path file, RecordingOptions options) {
    return new Events(null, topic -> Recordings.open(file, options));
  }

  /** A recording that is at hand; whoever made it closes it. */
  public static Events of(Recording recording) {
    return new Events(null, topic -> new Lent(recording));
  }

  /** The same events so many times, one after the other; of literal ones only. */
  public Events times(int times) {
    List<Event> all = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      all.addAll(literal());
    }
    return of(all);
  }

  /** These events and then others; literal ones only. */
  public Events and(Events more) {
    List<Event> all = new ArrayList<>(literal());
    all.addAll(more.literal());
    return of(all);
  }

  private List<Event> literal() {
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
  List<Event> list(String topic) {
    if (literal != null) {
      return literal;
    }
    List<Event> all = new ArrayList<>();
    try (Recording recording = open(topic)) {
      for (RecordedRange range : recording.header().ranges()) {
        try (RecordCursor cursor = recording.open(range.partition())) {
          while (cursor.next()) {
            all.add(new Event(
                range.partition(), cursor.key(), cursor.value(), cursor.timestamp(), Map.of()));
          }
        }
      }
    }
    return all;
  }

  /** How many, and a SHA-256 of all that matters in them. */
  Summary summary(String topic) {
    Digest digest = new Digest();
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

  private static Recording inMemory(String topic, List<Event> events) {
    MemoryRecording.Builder recording = MemoryRecording.of(topic);
    int most = events.stream().mapToInt(Event::partition).max().orElse(0);
    long[] ends = new long[most + 1];
    for (int partition = 0; partition <= most; partition++) {
      recording.partition(partition, 0);
    }
    for (Event event : events) {
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
