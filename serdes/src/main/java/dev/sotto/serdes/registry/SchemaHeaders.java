package dev.sotto.serdes.registry;

import java.nio.ByteBuffer;
import java.util.Set;
import java.util.function.Function;

/**
 * Ids of schemas in headers of records. Serializers that put them there write the bare body as the
 * value. Put before the value again, they make it what one without headers would have written:
 *
 * <table>
 * <caption>Forms of a value</caption>
 * <tr><td>0, number (4 bytes, big end first), body</td><td>{@link #NUMBER}</td></tr>
 * <tr><td>1, GUID (16 bytes, big end first), body</td><td>{@link #GUID}</td></tr>
 * <tr><td>2 or 3, the same, which message of its schema the body is, body</td>
 *     <td>out of a header with more behind the id, as serializers of Protobuf write it</td></tr>
 * <tr><td>4, number, length of a name (1 byte), name of the message, body</td>
 *     <td>out of two headers of Apicurio's serializers of Protobuf</td></tr>
 * </table>
 */
public final class SchemaHeaders {
  /** Of Confluent's serializers: the same bytes as before a body. */
  public static final String CONFLUENT = "__value_schema_id";
  /** Of Apicurio's: 8 bytes, big end first; the number that its Confluent-compatible paths take. */
  public static final String CONTENT_ID = "apicurio.value.contentId";
  /** Of Apicurio's: 8 bytes of another numbering, which those paths do not know. */
  public static final String GLOBAL_ID = "apicurio.value.globalId";

  /** Of Apicurio's, beside the id: the name of the Protobuf message, without its package. */
  public static final String MESSAGE = "apicurio.protobuf.type";

  /** Names of all of them. */
  public static final Set<String> NAMES = Set.of(CONFLUENT, CONTENT_ID, GLOBAL_ID, MESSAGE);

  /** First byte of a value whose schema has a number. */
  public static final byte NUMBER = 0;
  /** First byte of a value whose schema has a GUID. */
  public static final byte GUID = 1;
  /** The length of what stands before a body, by its first byte. */
  public static final int NUMBER_BYTES = 5;
  /** The same of {@link #GUID}. */
  public static final int GUID_BYTES = 17;

  private static final byte WITH_MESSAGE = 2; // added to one of those
  private static final byte NAMED = 4;
  private static final int LONGEST_NAME = 255;
  private static final byte UNKNOWN = (byte) 0xff; // the first byte of no form

  private SchemaHeaders() {}

  /**
   * A value with the id before it that a header names; as it is where none does. A header of
   * another form gives a value that cannot be read.
   *
   * @param headers the value of the last header of a name, null where there is none
   * @param value null stays null
   */
  public static byte[] framed(Function<String, byte[]> headers, byte[] value) {
    if (value == null) {
      return null;
    }
    byte[] id = headers.apply(CONFLUENT);
    if (id != null) {
      return join(confluent(id), value);
    }
    byte[] content = headers.apply(CONTENT_ID);
    if (content != null) {
      return join(named(number(content), headers.apply(MESSAGE)), value);
    }
    return headers.apply(GLOBAL_ID) == null ? value : join(new byte[] {UNKNOWN}, value);
  }

  /** Whether a value of {@link #framed} had a header that is of no known form. */
  public static boolean isOfUnknownForm(byte[] framed) {
    return framed != null && framed.length > 0 && framed[0] == UNKNOWN;
  }

  /**
   * Where the body begins, or what says which message it is.
   *
   * @param messages whether bodies are one of several messages
   * @return -1 where the value is of no known form
   */
  public static int bodyOf(byte[] value, boolean messages) {
    if (value.length == 0 || value[0] < 0 || value[0] > (messages ? NAMED : GUID)) {
      return -1;
    }
    int body = isByGuid(value) ? GUID_BYTES : NUMBER_BYTES;
    return body > value.length ? -1 : body;
  }

  /** Whether a value of a known form has a GUID. */
  public static boolean isByGuid(byte[] value) {
    return (value[0] & GUID) != 0;
  }

  /** Whether a value of a known form has the name of its message. */
  public static boolean isNamed(byte[] value) {
    return value[0] == NAMED;
  }

  private static byte[] confluent(byte[] id) {
    int bytes = id.length == 0 || id[0] > GUID || id[0] < 0
        ? Integer.MAX_VALUE
        : isByGuid(id) ? GUID_BYTES : NUMBER_BYTES;
    if (id.length < bytes) {
      return new byte[] {UNKNOWN};
    }
    if (id.length == bytes) {
      return id;
    }
    byte[] longer = id.clone();
    longer[0] += WITH_MESSAGE;
    return longer;
  }

  /** With the name of a message, where there is one. */
  private static byte[] named(byte[] number, byte[] message) {
    if (message == null || number[0] == UNKNOWN) {
      return number;
    }
    if (message.length > LONGEST_NAME) {
      return new byte[] {UNKNOWN};
    }
    byte low = (byte) message.length; // as a varint
    byte[] length = low >= 0 ? new byte[] {low} : new byte[] {low, (byte) (message.length >>> 7)};
    byte[] named = join(number, length);
    named[0] = NAMED;
    return join(named, message);
  }

  private static byte[] number(byte[] content) {
    if (content.length == Long.BYTES) {
      long id = ByteBuffer.wrap(content).getLong();
      if (id == (int) id) {
        return ByteBuffer.allocate(NUMBER_BYTES).put(NUMBER).putInt((int) id).array();
      }
    }
    return new byte[] {UNKNOWN};
  }

  private static byte[] join(byte[] first, byte[] second) {
    return ByteBuffer.allocate(first.length + second.length)
        .put(first)
        .put(second)
        .array();
  }
}
