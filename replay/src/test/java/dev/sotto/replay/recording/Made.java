package dev.sotto.replay.recording;

import dev.sotto.replay.recorder.Recordings;
import dev.sotto.replay.recording.container.Compression;
import dev.sotto.replay.recording.container.ContainerSpec;
import dev.sotto.replay.recording.container.ContainerWriter;
import dev.sotto.topology.encryption.Encryption;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/** Records and files of tests. */
final class Made {
  private static final Header[] NO_HEADERS = {};

  private Made() {}

  /** A record, comparable. */
  record One(
      int partition, long offset, long timestamp, String key, String value, List<String> headers) {}

  static ContainerSpec spec(
      List<RecordedRange> ranges, Compression compression, Encryption encryption) {
    return new ContainerSpec(
        new RecordingOrigin("cluster", "events", "topic-id"),
        "earliest to latest",
        () -> ranges,
        "{\"type\":\"long\"}",
        compression,
        encryption);
  }

  /** Two partitions with gaps, null keys and values, headers; a third without any record. */
  static List<RecordedRange> ranges() {
    return List.of(
        new RecordedRange(0, 10, 1000, -1),
        new RecordedRange(2, 0, 50, -1),
        new RecordedRange(3, 0, 1_000_000, -1));
  }

  static List<One> records(int partition, int number, long seed) {
    Random random = new Random(seed + partition); // those of the stored files, under any seed
    List<One> made = new ArrayList<>();
    long offset = partition == 0 ? 10 : 0;
    for (int i = 0; i < number; i++) {
      List<String> headers =
          i % 5 == 0 ? List.of("a=" + random.nextInt(100), "a=null", "schluss=ü" + i) : List.of();
      made.add(new One(
          partition,
          offset,
          1_700_000_000_000L + random.nextInt(1000),
          i % 3 == 0 ? null : "key " + random.nextInt(1000),
          i % 7 == 6 ? null : "value " + random.nextLong() + "x".repeat(random.nextInt(100)),
          headers));
      offset += 1 + (i % 4 == 3 ? 2 : 0);
    }
    return made;
  }

  static void append(ContainerWriter writer, One one) {
    Header[] headers = one.headers().stream()
        .map(each -> {
          String[] parts = each.split("=");
          return new RecordHeader(parts[0], parts[1].equals("null") ? null : utf8(parts[1]));
        })
        .toArray(Header[]::new);
    writer.append(
        one.partition(),
        one.offset(),
        one.timestamp(),
        utf8(one.key()),
        utf8(one.value()),
        one.headers().isEmpty() ? NO_HEADERS : headers);
  }

  /** A file with all of it. */
  static void write(
      Path file,
      List<RecordedRange> ranges,
      List<One> records,
      Compression compression,
      Encryption encryption) {
    try (ContainerWriter writer =
        ContainerWriter.open(file, spec(ranges, compression, encryption))) {
      for (RecordedRange range : ranges) {
        records.stream()
            .filter(each -> each.partition() == range.partition())
            .forEach(each -> append(writer, each));
        writer.finish();
      }
      writer.complete();
    }
  }

  static List<One> read(Recording recording) {
    List<One> read = new ArrayList<>();
    for (RecordedRange range : recording.header().ranges()) {
      read.addAll(read(recording, range.partition()));
    }
    return read;
  }

  static List<One> read(Recording recording, int partition) {
    List<One> read = new ArrayList<>();
    try (RecordCursor cursor = recording.open(partition)) {
      while (cursor.next()) {
        read.add(new One(
            partition,
            cursor.offset(),
            cursor.timestamp(),
            text(cursor.key()),
            text(cursor.value()),
            Arrays.stream(cursor.headers().toArray())
                .map(each -> each.key() + "=" + text(each.value()))
                .toList()));
      }
    }
    return read;
  }

  static List<One> read(Path file, RecordingOptions options) {
    try (Recording recording = Recordings.open(file, options)) {
      return read(recording);
    }
  }

  static byte[] utf8(String text) {
    return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
  }

  static String text(byte[] bytes) {
    return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
  }
}
