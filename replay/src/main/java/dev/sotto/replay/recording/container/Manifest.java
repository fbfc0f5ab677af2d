package dev.sotto.replay.recording.container;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.RecordingOrigin;
import dev.sotto.topology.encryption.RecordingCipher;
import java.io.IOException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;

/**
 * The entry {@code sotto.recording} in a container's header, as JSON. Each manifest has one form
 * only: what reads otherwise was changed. In an encrypted recording {@code integrity} is encrypted
 * too, since digests would confirm a guess of the records.
 *
 * @param complete whether recording reached its end
 * @param length of the file in bytes; 0 until it is complete
 * @param integrity digests of file and partitions
 */
@JsonPropertyOrder({"version", "complete", "origin", "contents", "length", "partitions", "integrity"
})
@JsonIgnoreProperties(value = "version", allowGetters = true)
record Manifest(
    boolean complete,
    @JsonUnwrapped RecordingOrigin origin,
    @JsonUnwrapped Contents contents,
    long length,
    List<PartitionSection> partitions,
    Integrities integrity) {
  private static final int VERSION = 1;
  private static final int HEADER = -1; // in place of a partition, where integrity is encrypted

  private static final JsonMapper JSON = JsonMapper.builder()
      .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
      .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
      .build();

  /**
   * What is recorded.
   *
   * @param request what was asked for, in words; only the same request continues the file
   * @param codec of the blocks, before encryption
   * @param encrypted whether blocks and digests are encrypted
   * @param schema of the values; empty for none
   */
  record Contents(String request, Compression codec, boolean encrypted, String schema) {}

  /**
   * Digests.
   *
   * @param digest SHA-256 of the whole file in hexadecimal: over Avro's header and this manifest,
   *     which has the digests of the partitions
   * @param partitions in the order of the manifest
   */
  record Integrities(String digest, List<PartitionChecksums.Values> partitions) {
    Integrities {
      partitions = List.copyOf(partitions);
    }
  }

  Manifest {
    partitions = List.copyOf(partitions);
    if (partitions.size() != integrity.partitions().size()) {
      throw new IllegalArgumentException("every partition must have its digests");
    }
  }

  /** The manifest of a file that is begun. */
  static Manifest begun(RecordingOrigin origin, Contents contents, List<RecordedRange> ranges) {
    return new Manifest(
        false,
        origin,
        contents,
        0,
        ranges.stream().map(each -> new PartitionSection(each, 0, 0)).toList(),
        new Integrities("", Collections.nCopies(ranges.size(), PartitionChecksums.Values.NONE)));
  }

  /** The same when all is written. */
  Manifest completed(
      long size, List<PartitionSection> sections, List<PartitionChecksums.Values> checksums) {
    return new Manifest(true, origin, contents, size, sections, new Integrities("", checksums));
  }

  /** One at least as long as any that this can become: what is reserved for it in the file. */
  Manifest longest() {
    long most = Long.MAX_VALUE;
    String hex = "0".repeat(64);
    return new Manifest(
        false,
        origin,
        contents,
        most,
        partitions.stream()
            .map(each -> new PartitionSection(
                new RecordedRange(each.range().partition(), most, most, most), most, most))
            .toList(),
        new Integrities(
            hex,
            Collections.nCopies(
                partitions.size(), new PartitionChecksums.Values((1L << 32) - 1, hex))));
  }

  Manifest withDigest(String digest) {
    return new Manifest(
        complete,
        origin,
        contents,
        length,
        partitions,
        new Integrities(digest, integrity.partitions()));
  }

  /** The version of the format. */
  @JsonProperty
  int version() {
    return VERSION;
  }

  /** What the digest of the file covers: everything but that digest, in clear. */
  byte[] digested() {
    return utf8(JSON.valueToTree(withDigest("")));
  }

  /** The bytes in the file; the cipher is used in an encrypted recording only. */
  byte[] write(RecordingCipher cipher) {
    ObjectNode whole = JSON.valueToTree(this);
    if (contents.encrypted()) {
      byte[] sealed = cipher.seal(utf8(whole.get("integrity")), HEADER, 0);
      whole.put("integrity", Base64.getEncoder().encodeToString(sealed));
    }
    return utf8(whole);
  }

  /** Fills a manifest's bytes up with spaces. */
  static byte[] padded(byte[] written, int length) {
    if (written.length > length) {
      throw new IllegalStateException(
          "a manifest of " + written.length + " bytes does not fit into " + length);
    }
    byte[] padded = Arrays.copyOf(written, length);
    Arrays.fill(padded, written.length, length, (byte) ' ');
    return padded;
  }

  /**
   * Reads a manifest.
   *
   * @param cipher is asked for only where the recording is encrypted
   * @throws IllegalArgumentException where it is none, or not in its one form
   */
  static Manifest read(byte[] padded, Supplier<RecordingCipher> cipher) {
    try {
      if (!(JSON.readTree(padded) instanceof ObjectNode whole)) {
        throw changed(null);
      }
      int version = whole.path("version").asInt();
      if (version > VERSION) {
        throw new IllegalArgumentException("is of version " + version
            + ", but this program reads up to " + VERSION + ": use a newer one");
      }
      JsonNode integrity = whole.path("integrity");
      boolean encrypted = whole.path("encrypted").asBoolean();
      byte[] sealed = {};
      if (encrypted) {
        sealed = Base64.getDecoder().decode(integrity.asText());
        whole.set("integrity", JSON.readTree(cipher.get().open(sealed, HEADER, 0)));
      }
      Manifest manifest = JSON.treeToValue(whole, Manifest.class);
      ObjectNode again = JSON.valueToTree(manifest);
      if (encrypted) { // written anew: the last character has bits that decoding leaves out
        again.put("integrity", Base64.getEncoder().encodeToString(sealed));
      }
      if (!Arrays.equals(padded(utf8(again), padded.length), padded)) {
        throw changed(null);
      }
      return manifest;
    } catch (IOException | IllegalStateException notAsWritten) {
      throw changed(notAsWritten);
    }
  }

  private static IllegalArgumentException changed(Exception cause) {
    return new IllegalArgumentException(
        "is damaged or was changed: it does not read as it was written", cause);
  }

  private static byte[] utf8(JsonNode node) {
    try {
      return JSON.writeValueAsBytes(node);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("a manifest must be writable, but was not", impossible);
    }
  }
}
