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
 * </table>
 */
public final class SchemaHeaders {
  /** Of Confluent's serializers: the same bytes as before a body. */
  public static final String CONFLUENT = "__value_schema_id";
  /** Of Apicurio's: 8 bytes, big end first; the number that its Confluent-compatible paths take. */
  public static final String CONTENT_ID = "apicurio.value.contentId";
  /** Of Apicurio's: 8 bytes of another numbering, which those paths do not know. */
  public static final String GLOBAL_ID = "apicurio.value.globalId";

  /** Names of all of them. */
  public static final Set<String> NAMES = Set.of(CONFLUENT, CONTENT_ID, GLOBAL_ID);

  /** First byte of a value whose schema has a number. */
  public static final byte NUMBER = 0;
  /** First byte of a value whose schema has a GUID. */
  public static final byte GUID = 1;
  /** The length of what stands before a body, by its first byte. */
  public static final int NUMBER_BYTES = 5;
  /** The same of {@link #GUID}. */
  public static final int GUID_BYTES = 17;

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
      return join(isKnown(id) ? id : new byte[] {UNKNOWN}, value);
    }
    byte[] content = headers.apply(CONTENT_ID);
    if (content != null) {
      return join(number(content), value);
    }
    return headers.apply(GLOBAL_ID) == null ? value : join(new byte[] {UNKNOWN}, value);
  }

  /** Whether a value of {@link #framed} had a header that is of no known form. */
  public static boolean isOfUnknownForm(byte[] framed) {
    return framed != null && framed.length > 0 && framed[0] == UNKNOWN;
  }

  private static boolean isKnown(byte[] id) {
    return id.length == NUMBER_BYTES && id[0] == NUMBER || id.length == GUID_BYTES && id[0] == GUID;
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
