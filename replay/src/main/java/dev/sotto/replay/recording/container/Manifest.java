package dev.sotto.replay.recording.container;

import dev.sotto.replay.recording.RecordedRange;
import java.util.List;

/**
 * What the header {@code sotto.recording} of a container says.
 *
 * @param complete whether recording came to its end
 * @param request what was asked for, so that only the same request goes on with it
 * @param encrypted whether blocks and digests are sealed
 * @param length of the file in bytes; 0 while it grows
 * @param digest SHA-256 over everything in the file, in hexadecimal: over Avro's own header and this one, which has the
 *     digests of all partitions
 */
record Manifest(
    boolean complete,
    String clusterId,
    String topic,
    String topicId,
    String request,
    Compression compression,
    boolean encrypted,
    String schema,
    long length,
    List<Stretch> stretches,
    String digest) {
  /** The version of this header and of what it says about the file. */
  static final int VERSION = 1;

  Manifest {
    stretches = List.copyOf(stretches);
  }

  Manifest withDigest(String given) {
    return new Manifest(
        complete,
        clusterId,
        topic,
        topicId,
        request,
        compression,
        encrypted,
        schema,
        length,
        stretches,
        given);
  }

  /** The same at its end. */
  Manifest completed(List<Stretch> all, long size) {
    return new Manifest(
        true, clusterId, topic, topicId, request, compression, encrypted, schema, size, all, "");
  }

  /** One at least as long as any that this can become: what is reserved for it in the file. */
  Manifest longest() {
    String hex = "0".repeat(64);
    List<Stretch> longest = stretches.stream()
        .map(each -> new Stretch(
            new RecordedRange(
                each.range().partition(), Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE),
            Long.MAX_VALUE,
            Long.MAX_VALUE,
            -1,
            hex))
        .toList();
    return new Manifest(
        false,
        clusterId,
        topic,
        topicId,
        request,
        compression,
        encrypted,
        schema,
        Long.MAX_VALUE,
        longest,
        hex);
  }
}
