package dev.sotto.replay.recording.container;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sotto.replay.recording.RecordedRange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * A manifest as JSON, of which there is one form only: what reads otherwise was changed. Checksums and digests stand apart
 * in {@code integrity}; in an encrypted recording they are sealed there, since they would confirm a guess of the records.
 */
final class ManifestJson {
  private static final JsonMapper JSON = JsonMapper.builder()
      .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
      .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
      .build();

  private ManifestJson() {}

  /** The header, shorter or as long as that of the longest manifest. */
  static byte[] write(Manifest manifest, BlockSeal seal) {
    ObjectNode whole = clear(manifest);
    ObjectNode integrity = integrity(manifest);
    if (manifest.encrypted()) {
      byte[] sealed = seal.sealHeader(utf8(integrity));
      whole.put("integrity", Base64.getEncoder().encodeToString(sealed));
    } else {
      whole.set("integrity", integrity);
    }
    return utf8(whole);
  }

  /** The header behind which spaces fill a length. */
  static byte[] padded(byte[] header, int length) {
    if (header.length > length) {
      throw new IllegalStateException(
          "a header of " + header.length + " bytes does not fit into " + length);
    }
    byte[] padded = Arrays.copyOf(header, length);
    Arrays.fill(padded, header.length, length, (byte) ' ');
    return padded;
  }

  /** What the file's digest is of, apart from Avro's own header: everything but that digest. */
  static byte[] digested(Manifest manifest) {
    ObjectNode whole = clear(manifest);
    whole.set("integrity", integrity(manifest.withDigest("")));
    return utf8(whole);
  }

  /**
   * Reads a header.
   *
   * @param seal opens what is sealed; asked only where something is
   * @throws IllegalArgumentException where it is none, or not of that one form
   */
  static Manifest read(byte[] padded, BlockSeal.Source seal) {
    int length = padded.length;
    while (length > 0 && padded[length - 1] == ' ') {
      length--;
    }
    byte[] header = Arrays.copyOf(padded, length);
    try {
      JsonNode whole = JSON.readTree(header);
      int version = whole.path("version").asInt();
      if (version > Manifest.VERSION) {
        throw new IllegalArgumentException("is of version " + version
            + ", but this program reads up to " + Manifest.VERSION + ": use a newer one");
      }
      if (!whole.path("encrypted").asBoolean()) {
        Manifest manifest = manifest(whole, whole.path("integrity"));
        return sameOrChanged(manifest, write(manifest, null), header);
      }
      byte[] sealed = Base64.getDecoder().decode(whole.path("integrity").asText());
      Manifest manifest = manifest(whole, JSON.readTree(seal.get().openHeader(sealed)));
      ObjectNode again = clear(manifest);
      again.put("integrity", Base64.getEncoder().encodeToString(sealed));
      return sameOrChanged(manifest, utf8(again), header);
    } catch (IOException noJson) {
      throw new IllegalArgumentException(
          "is damaged or was changed: it is not the JSON it was", noJson);
    }
  }

  private static Manifest sameOrChanged(Manifest manifest, byte[] again, byte[] header) {
    if (!Arrays.equals(again, header)) {
      throw new IllegalArgumentException(
          "is damaged or was changed: it does not read as it was written");
    }
    return manifest;
  }

  private static ObjectNode clear(Manifest manifest) {
    ObjectNode whole = JSON.createObjectNode();
    whole.put("version", Manifest.VERSION);
    whole.put("complete", manifest.complete());
    whole.put("clusterId", manifest.clusterId());
    whole.put("topic", manifest.topic());
    whole.put("topicId", manifest.topicId());
    whole.put("request", manifest.request());
    whole.put("codec", manifest.compression().toString());
    whole.put("encrypted", manifest.encrypted());
    whole.put("schema", manifest.schema());
    whole.put("length", manifest.length());
    ArrayNode partitions = whole.putArray("partitions");
    for (Stretch each : manifest.stretches()) {
      partitions
          .addObject()
          .put("partition", each.range().partition())
          .put("from", each.range().from())
          .put("to", each.range().to())
          .put("records", each.range().records())
          .put("start", each.start())
          .put("block", each.block());
    }
    return whole;
  }

  private static ObjectNode integrity(Manifest manifest) {
    ObjectNode integrity = JSON.createObjectNode();
    integrity.put("digest", manifest.digest());
    ArrayNode partitions = integrity.putArray("partitions");
    for (Stretch each : manifest.stretches()) {
      partitions
          .addObject()
          .put("crc32c", Integer.toUnsignedLong(each.checksum()))
          .put("sha256", each.digest());
    }
    return integrity;
  }

  private static Manifest manifest(JsonNode whole, JsonNode integrity) {
    List<Stretch> stretches = new ArrayList<>();
    JsonNode partitions = whole.path("partitions");
    for (int i = 0; i < partitions.size(); i++) {
      JsonNode each = partitions.get(i);
      JsonNode sums = integrity.path("partitions").path(i);
      stretches.add(new Stretch(
          new RecordedRange(
              each.path("partition").asInt(),
              each.path("from").asLong(),
              each.path("to").asLong(),
              each.path("records").asLong()),
          each.path("start").asLong(),
          each.path("block").asLong(),
          (int) sums.path("crc32c").asLong(),
          sums.path("sha256").asText()));
    }
    String codec = whole.path("codec").asText();
    return new Manifest(
        whole.path("complete").asBoolean(),
        whole.path("clusterId").asText(),
        whole.path("topic").asText(),
        whole.path("topicId").asText(),
        whole.path("request").asText(),
        Compression.of(codec)
            .orElseThrow(() -> new IllegalArgumentException("names an unknown codec, " + codec)),
        whole.path("encrypted").asBoolean(),
        whole.path("schema").asText(),
        whole.path("length").asLong(),
        stretches,
        integrity.path("digest").asText());
  }

  private static byte[] utf8(ObjectNode node) {
    try {
      return JSON.writeValueAsString(node).getBytes(StandardCharsets.UTF_8);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("a header must be writable, but was not", impossible);
    }
  }
}
