package dev.sotto.serdes.event;

import dev.sotto.serdes.registry.SchemaHeaders;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** What a value that is no JSON looks like, for messages: it is guessed from its first bytes. */
public final class UnreadableValue {
  private static final String REGISTRY =
      ", as the serializers of a schema registry put before what they write: ";
  private static final String AVRO = "if it is Avro, set events.format: avro";

  private static final int LOOKED_AT = 4096; // bytes

  private UnreadableValue() {}

  /** What it is and what to do, without any content; empty where that cannot be said. */
  public static Optional<String> guess(byte[] value) {
    if (value == null) {
      return Optional.of("it has no value");
    }
    if (value.length == 0) {
      return Optional.of("it is empty");
    }
    if (begins(value, 0xC3, 0x01)) {
      return Optional.of(
          "it begins as Avro's single objects do: " + AVRO + ", and list its schema");
    }
    if (begins(value, '"', '{', '\\')) {
      return Optional.of("it is a text that holds JSON, which was encoded twice: write the object"
          + " itself, as with StringSerializer or StringConverter for what is JSON already");
    }
    if (begins(value, 'e', 'y', 'J')) {
      return Optional.of("it is JSON in Base64: write the JSON itself");
    }
    if (begins(value, 0xAC, 0xED, 0, 5)) {
      return Optional.of("it is a serialized object of Java: write JSON");
    }
    if (begins(value, '<')) {
      return Optional.of("it is XML or HTML: write JSON");
    }
    if (begins(value, 0x1F, 0x8B)
        || begins(value, 0x28, 0xB5, 0x2F, 0xFD)
        || begins(value, 0x82, 'S', 'N', 'A', 'P')) {
      return Optional.of("it is compressed as a file is: use compression.type of the producer");
    }
    if (begins(value, 0xFF, 0xFE) || begins(value, 0xFE, 0xFF) || isUtf16(value)) {
      return Optional.of("it is UTF-16, and must be UTF-8");
    }
    if (begins(value, 0xEF, 0xBB, 0xBF)) {
      return Optional.of("it begins with a byte order mark (EF BB BF), which JSON must not have");
    }
    return registry(value, SchemaHeaders.NUMBER, SchemaHeaders.NUMBER_BYTES)
        .or(() -> registry(value, SchemaHeaders.GUID, SchemaHeaders.GUID_BYTES))
        .or(() -> isUtf8(value)
            ? Optional.empty()
            : Optional.of("it is no UTF-8, as text in Latin-1 is none: write UTF-8"));
  }

  private static Optional<String> registry(byte[] value, byte first, int bytes) {
    if (value[0] != first || value.length <= bytes) {
      return Optional.empty();
    }
    String begin =
        "it begins with a byte " + first + " and an id of " + (bytes - 1) + " bytes" + REGISTRY;
    return Optional.of(
        isJson(value[bytes])
            ? begin + "after them is JSON: set events.format: json-schema"
            : begin + AVRO + " and events.avro.framing: confluent; if it is Protobuf,"
                + " events.format: protobuf");
  }

  private static boolean isJson(byte first) {
    return first == '{' || first == '[' || first == '"';
  }

  private static boolean isUtf16(byte[] value) {
    return value.length > 3
        && (value[0] == '{' && value[1] == 0 && value[3] == 0
            || value[0] == 0 && value[1] == '{' && value[2] == 0);
  }

  private static boolean begins(byte[] value, int... bytes) {
    for (int i = 0; i < bytes.length; i++) {
      if (i >= value.length || (value[i] & 0xFF) != bytes[i]) {
        return false;
      }
    }
    return true;
  }

  /** Of the beginning alone, so that a long value costs no more than a short one. */
  private static boolean isUtf8(byte[] value) {
    int end = Math.min(value.length, LOOKED_AT);
    while (end > 0 && end < value.length && (value[end] & 0xC0) == 0x80) {
      end--;
    }
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value, 0, end));
      return true;
    } catch (CharacterCodingException other) {
      return false;
    }
  }
}
